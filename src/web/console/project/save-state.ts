/**
 * How far the changes of the user are. `waiting`: they are sent again, until the server takes them; `stopped`: the server has refused them,
 * for a reason that is not in their values; `refused`: a draft has an error.
 */
export type SaveState = 'saved' | 'saving' | 'waiting' | 'stopped' | 'refused' | 'conflict';
