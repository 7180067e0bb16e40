/** The name that something made of a file gets: that of the file without its ending. */
export const titleOfFile = ({ name }: Pick<File, 'name'>): string => name.replace(/\.[^.]*$/, '');
