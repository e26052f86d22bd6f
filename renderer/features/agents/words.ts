/** Texts that several places of this feature share. */
export const words = {
  // Configurations
  client: 'Client',
  copy: 'Copy',
  configurationOf: (name: string) => `Configuration of ${name}`,
  // MCP client
  clientLead:
    'The MCP server of the Hub, over the data of this sandbox. Public repos need no sign-in.',
  url: 'URL',
  loginUrl: 'With a sign-in',
  toolsAndScopes: 'Tools and scopes',

  // Calls
  calls: 'Last calls',

  // Metadata documents
  clientId: 'client_id',

  // Coding agents
  agentLead:
    'Tools to sign in, explain a refusal, apply its fix, trigger events, and replay deliveries.',
  skill: 'Add instructions for the agent',

  // Requests
  checkFailed: 'Could not check the document',
} as const
