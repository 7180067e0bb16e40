/** How far the changes of the user are. `waiting`: the server does not answer, they are sent again; `refused`: a draft has an error. */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'refused' | 'conflict';
