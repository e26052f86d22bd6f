/** Hidden command for completion scripts; gets the words after the name of the program, the last one incomplete. */
export const completeCommand = '__complete'
