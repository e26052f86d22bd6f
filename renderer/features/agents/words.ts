/** Texts of this feature, in the order of its files. */
export const words = {
  // Page
  title: 'MCP & agents',
  lead: 'Connect MCP clients that sign in to the Hub, and coding agents that control this sandbox.',

  // Configurations
  client: 'Client',
  copy: 'Copy',
  configurationOf: (name: string) => `Configuration of ${name}`,
  // MCP client
  clientTitle: 'Connect an MCP client',
  clientLead:
    'The MCP server of the Hub, over the data of this sandbox. Public repos need no sign-in.',
  url: 'URL',
  loginUrl: 'With a sign-in',
  tool: 'Tool',
  does: 'Does',
  needs: 'Needs',
  nothing: 'nothing',
  toolsAndScopes: 'Tools and scopes',
  scopesLead: 'A token of an app also needs the scope read-mcp.',

  // Calls
  calls: 'Last calls',
  callsLead: 'Requests to the MCP server and the metadata that clients read first.',
  noCalls: 'No calls yet',
  noCallsHint: 'Connect a client, or run the command above.',
  anonymous: 'anonymous',
  cut: 'cut',
  viewAll: 'View all',

  // Metadata documents
  documents: 'Client metadata documents',
  documentsLead: 'Serve a document without a web site. The check shows what the Hub would refuse.',
  drop: 'Drop a JSON file here, or',
  choose: 'Choose file',
  fileToCheck: 'Client metadata document',
  accepted: 'The Hub accepts this document.',
  refused: (count: number) =>
    count === 1
      ? 'The Hub refuses this document: 1 problem.'
      : `The Hub refuses this document: ${count} problems.`,
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  fix: (text: string) => `Fix: ${text}`,
  serve: 'Serve document',
  serveAgain: 'Replace document',
  clientId: 'client_id',
  problems: 'Problems',
  checkOf: (file: string) => `Check of ${file}`,
  served: 'Served documents',
  remove: 'Stop serving',
  removeOf: (url: string) => `Stop serving ${url}`,
  countOfProblems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  noProblems: 'accepted',
  tooLarge: (size: string) => `The file has ${size}: the Hub reads at most 5 KB.`,

  // Coding agents
  agentTitle: 'Connect a coding agent',
  agentLead:
    'Tools to sign in, explain a refusal, apply its fix, trigger events, and replay deliveries.',
  skill: 'Add instructions for the agent',
  skillHint: 'Writes SKILL.md, which tells an agent how to test a Hub app with the sandbox.',

  // Requests
  documentServed: 'Document served',
  serveFailed: 'Could not serve the document',
  documentRemoved: 'Document no longer served',
  removeFailed: 'Could not stop serving the document',
  checkFailed: 'Could not check the document',
} as const
