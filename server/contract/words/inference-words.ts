/** Roles of chat messages. */
export const messageRoles = ['system', 'developer', 'user', 'assistant', 'tool'] as const
