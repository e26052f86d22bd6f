/** The hidden command that completion scripts ask; it gets the words behind the program's name, the last unfinished. */
export const completeCommand = '__complete'
