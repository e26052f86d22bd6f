import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { AnyInput } from '../contract/control-request.ts'
import type { ControlKey } from '../contract/control-call.ts'
import { type CallControl, createControlTools } from '../lab/mcp/control-tools.ts'
import { buildMcpServer } from '../web/mcp/serve-mcp.ts'
import { packageVersion } from '../core/package-root.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { say } from './output.ts'

/**
 * Serves the control API to a coding agent by stdin and stdout, until stdin ends. Each call looks for the sandbox again, so
 * one that was started or restarted meanwhile is found.
 */
export async function mcp(options: ConnectOptions): Promise<void> {
  const tools = createControlTools(callRunning(options), packageVersion)
  const server = buildMcpServer(tools)
  const ended = new Promise((resolve) => process.stdin.once('end', resolve))
  await server.connect(new StdioServerTransport())
  say(`Serving ${tools.list.length} tools to the agent on stdin and stdout.`)
  await ended
  await server.close()
}

function callRunning(options: ConnectOptions): CallControl {
  return async (key, input) => {
    const { call } = await connect(options)
    // The sandbox checks the input against the table.
    const untyped = call as (key: ControlKey, input: AnyInput) => Promise<unknown>
    return untyped(key, input)
  }
}
