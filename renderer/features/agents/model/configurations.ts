import { shellWord } from '../../../lib/shell-quote.ts'

/** Configuration of a program for an MCP server. */
export interface Configuration {
  id: string
  /** Name of the program. */
  name: string
  /** File that has the text; absent for a command. */
  file?: string
  text: string
  json?: true
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/**
 * Configurations of MCP clients for a server of the Hub.
 * @param url of the server
 */
export function clientConfigurations(url: string): readonly Configuration[] {
  return [
    {
      id: 'claude',
      name: 'Claude Code',
      text: `claude mcp add --transport http hub ${shellWord(url)}`,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      file: '.cursor/mcp.json',
      json: true,
      text: json({ mcpServers: { hub: { url } } }),
    },
    {
      id: 'vscode',
      name: 'VS Code',
      file: '.vscode/mcp.json',
      json: true,
      text: json({ servers: { hub: { type: 'http', url } } }),
    },
    {
      id: 'codex',
      name: 'Codex',
      file: '~/.codex/config.toml',
      text: `[mcp_servers.hub]\nurl = ${JSON.stringify(url)}`,
    },
    {
      id: 'python',
      name: 'FastMCP',
      file: 'client.py',
      text: `import asyncio
from fastmcp import Client

async def main():
    async with Client(${JSON.stringify(url)}, auth="oauth") as client:
        print(await client.call_tool("hf_whoami", {}))

asyncio.run(main())`,
    },
    {
      id: 'curl',
      name: 'curl',
      text: `curl ${shellWord(url)} -H 'Accept: application/json, text/event-stream' --json '${JSON.stringify(
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'hub_repo_search', arguments: { type: 'dataset' } },
        },
      )}'`,
    },
  ]
}

/**
 * Configurations of coding agents for the control API.
 * @param url of the sandbox
 * @param command that serves it on stdin and stdout
 */
export function agentConfigurations(
  url: string,
  command: readonly string[],
): readonly Configuration[] {
  const [program = '', ...args] = command
  return [
    {
      id: 'claude',
      name: 'Claude Code',
      text: `claude mcp add hub-sandbox -- ${command.map(shellWord).join(' ')}`,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      file: '.cursor/mcp.json',
      json: true,
      text: json({ mcpServers: { 'hub-sandbox': { command: program, args } } }),
    },
    {
      id: 'vscode',
      name: 'VS Code',
      file: '.vscode/mcp.json',
      json: true,
      text: json({ servers: { 'hub-sandbox': { type: 'stdio', command: program, args } } }),
    },
    {
      id: 'codex',
      name: 'Codex',
      file: '~/.codex/config.toml',
      text: `[mcp_servers.hub-sandbox]\ncommand = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}`,
    },
    {
      id: 'http',
      name: 'HTTP',
      file: 'mcp.json',
      json: true,
      text: json({ mcpServers: { 'hub-sandbox': { type: 'http', url: `${url}/_sandbox/mcp` } } }),
    },
  ]
}
