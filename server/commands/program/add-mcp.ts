import type { Command } from 'commander'
import type { ConnectOptions } from '../connect.ts'
import { connected } from './define.ts'

export function addMcp(program: Command): void {
  connected(
    program
      .command('mcp')
      .description('Serve the sandbox to coding agents as an MCP server')
      .action(async (options: ConnectOptions) => (await import('../mcp.ts')).mcp(options)),
    {
      json: false,
      examples: [
        {
          does: 'Serve the running sandbox on stdin and stdout',
          line: 'hub-sandbox mcp',
        },
        {
          does: 'Serve a sandbox of its own',
          line: 'hub-sandbox exec -- hub-sandbox mcp',
        },
      ],
      ending:
        'In the settings of an agent: command "npx", arguments "--no", "hub-sandbox", "mcp".\nOver HTTP, the same server is at /_sandbox/mcp.',
    },
  )
}
