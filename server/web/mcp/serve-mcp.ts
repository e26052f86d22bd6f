import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyRequest } from 'fastify'
import { suggestion } from '../../contract/suggestion.ts'

// The SDK is large: only modules that are imported at the first MCP request may import this one.

/** The tools of an MCP server, for one caller. */
export interface McpTools {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly instructions: string
  readonly list: readonly Tool[]
  /** @param name one of the list */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<CallToolResult>
}

/** Returns a result that consists of text. */
export function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) }
}

/** Builds an MCP server of these tools, for any transport. */
export function buildMcpServer(tools: McpTools): Server {
  const { name, title, version, instructions } = tools
  const server = new Server({ name, title, version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools.list] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const known = tools.list.map((tool) => tool.name)
    if (known.includes(params.name)) return tools.call(params.name, params.arguments ?? {})
    throw new McpError(
      ErrorCode.InvalidParams,
      `Unknown tool ${params.name}${suggestion(params.name, known)}. Tools: ${known.join(', ')}.`,
    )
  })
  return server
}

/**
 * Responds to one request of the Streamable HTTP transport. There are no sessions: each request has a server of its own,
 * and its response is JSON.
 * @see MCP 2025-11-25, Transports, Streamable HTTP
 */
export async function respondToMcp(tools: McpTools, request: FastifyRequest): Promise<Response> {
  const server = buildMcpServer(tools)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, String(value))
    }
    const called = new Request(`${request.root}${request.url}`, { method: 'POST', headers })
    return await transport.handleRequest(called, { parsedBody: request.body })
  } finally {
    await server.close()
  }
}
