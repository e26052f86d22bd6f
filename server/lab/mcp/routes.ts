import type { FastifyPluginAsync } from 'fastify'
import { Media } from '../../contract/control.ts'
import { buildControlRequest } from '../../contract/control-request.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Inject } from '../../web/inject.ts'
import { registerMcpErrors } from '../../web/mcp/mcp-errors.ts'
import type { CallControl } from './control-tools.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import type { ServerDeps } from '../server-deps.ts'

/** The control API as an MCP server. It is guarded as the control API is, and calls it with the caller's credentials. */
export const controlMcpRoutes: FastifyPluginAsync<{ deps: ServerDeps; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  registerMcpErrors(app)

  app.post(
    '/_sandbox/mcp',
    {
      schema: {
        summary: 'Call the MCP server over the control API',
        description: 'Messages of the Model Context Protocol, for coding agents.',
        tags: ['mcp'],
        response: { 200: Media('application/json', 'Responses of JSON-RPC 2.0') },
      },
    },
    async (request, reply) => {
      const [{ respondToMcp }, { createControlTools }] = await Promise.all([
        import('../../web/mcp/serve-mcp.ts'),
        import('./control-tools.ts'),
      ])
      const { host = '', authorization, cookie } = request.headers
      const headers = { host, ...omitUndefined({ authorization, cookie }) }
      const tools = createControlTools(callByInject(inject, headers), deps.settings.version)
      const response = await respondToMcp(tools, request)
      reply.code(response.status as 200)
      for (const [name, value] of response.headers) reply.header(name, value)
      return reply.send(await response.text())
    },
  )

  app.route({
    method: ['GET', 'DELETE'],
    url: '/_sandbox/mcp',
    schema: { hide: true },
    handler(_request, reply) {
      reply.header('allow', 'POST')
      throw new HttpRefusal(
        405,
        'invalid',
        'The MCP server has no streams and no sessions: send each message by POST.',
      )
    },
  })
}

function callByInject(inject: Inject, headers: Readonly<Record<string, string>>): CallControl {
  return async (key, input) => {
    const called = buildControlRequest(key, input)
    const response = await inject({
      method: called.method as 'GET',
      url: `/_sandbox/api/${called.path}`,
      headers: { ...headers, ...called.headers },
      ...(called.body === undefined ? {} : { payload: called.body as object }),
    })
    const answer = response.json<{
      message?: string
      issues?: { path: string; message: string }[]
    }>()
    if (response.statusCode < 400) return answer
    const issues = (answer.issues ?? []).map(({ path, message }) => `${path}: ${message}`)
    throw new Error([answer.message, ...issues].join('\n'))
  }
}
