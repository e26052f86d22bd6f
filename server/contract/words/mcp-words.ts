// Words of the Hub's MCP server, for the dashboard.

/** Tools of the Hub's MCP server, with the scope that each needs beyond `read-mcp`. */
export const hubMcpTools = [
  { name: 'hf_whoami', does: 'Get the signed-in user', needs: 'a token' },
  { name: 'hub_repo_search', does: 'Search repos' },
  { name: 'hub_read_file', does: 'Read a file' },
  { name: 'hub_open_discussion', does: 'Open a discussion', needs: 'write-discussions' },
  { name: 'hub_run_job', does: 'Run a job', needs: 'jobs' },
] as const satisfies readonly { name: string; does: string; needs?: string }[]
