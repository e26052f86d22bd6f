import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { TSchema } from 'typebox'
import { controlApi, type Endpoint } from '../../contract/control-api.ts'
import type { ControlResponse, ControlKey } from '../../contract/control-call.ts'
import type { AnyInput } from '../../contract/control-request.ts'
import { messageOf } from '../../core/background.ts'
import { own, setOwn } from '../../core/own.ts'
import { type McpTools, textResult } from '../../web/mcp/serve-mcp.ts'

/**
 * Calls an endpoint of the control API.
 * @throws {Error} for a refusal, with its message
 */
export type CallControl = (key: ControlKey, input: AnyInput) => Promise<unknown>

interface ControlTool<K extends ControlKey = ControlKey> {
  /** Endpoint that gives the tool its arguments and description. */
  readonly key: K
  /** Query parameters that the tool sets itself, so that they are no arguments. */
  readonly fixed?: Readonly<Record<string, string>>
  readonly isReadOnly?: true
  /** Short text of the response, with ids for further calls; default: the response as JSON. */
  text?(answer: ControlResponse<K>, call: CallControl): string | Promise<string>
}

function controlTool<K extends ControlKey>(tool: ControlTool<K>): ControlTool {
  return tool
}

/** Parameters of streams, and old names. */
const leftOut = new Set(['follow', 'filter'])

/** The tools for agents. Arguments and descriptions come from the table of the control API. */
export const controlTools: Readonly<Record<string, ControlTool>> = {
  list_apps: controlTool({
    key: 'GET apps',
    isReadOnly: true,
    text: ({ items }) =>
      lines(items, ({ clientId, name, clientSecret, redirectUris, scopes }) => ({
        clientId,
        name,
        kind: clientSecret === undefined ? 'public' : 'confidential',
        redirectUris,
        scopes,
      })),
  }),
  client_settings: controlTool({
    key: 'GET apps/:clientId/snippets',
    isReadOnly: true,
    text: ({ items }) =>
      `${JSON.stringify(items[0]?.environment ?? {})}\nPrograms: ${items.map(({ name }) => name).join(', ')}`,
  }),
  sign_in: controlTool({
    key: 'POST authorize',
    text: ({ redirectTo }) =>
      new URL(redirectTo).searchParams.has('error')
        ? `Refused: the app gets ${redirectTo}\nNext: last_refusal.`
        : `The app gets ${redirectTo}\nOpen this URL to finish the sign-in in the app.`,
  }),
  last_refusal: controlTool({
    key: 'GET requests',
    fixed: { refused: '1', limit: '1' },
    isReadOnly: true,
    text: async ({ items: [refused] }, call) =>
      refused === undefined ? 'No request was refused.' : describeRefusal(refused, call),
  }),
  apply_fix: controlTool({
    key: 'POST flows/:id/fixes/:fix',
    text: ({ made, next }) =>
      `Applied: ${made.change}\nNext: ${next}\nOn the real Hub: ${made.onTheHub}`,
  }),
  list_requests: controlTool({
    key: 'GET requests',
    isReadOnly: true,
    text: ({ items, nextCursor }) =>
      lines(items, ({ id, method, path, status, error, flowId }) => ({
        id,
        method,
        path: shortText(path),
        status,
        error,
        flowId,
      })) + more(nextCursor),
  }),
  show_flow: controlTool({
    key: 'GET flows/:id',
    isReadOnly: true,
    text: ({ steps, outcome, explanation }) =>
      `${outcome}: ${explanation}\n${lines(steps, (step) => ({
        name: step.name,
        from: step.from,
        to: step.to,
        status: step.status,
        error: step.error,
        explanation: step.explanation,
        requestId: step.requestId,
      }))}`,
  }),
  trigger_event: controlTool({ key: 'POST events' }),
  list_deliveries: controlTool({
    key: 'GET deliveries',
    isReadOnly: true,
    text: ({ items, nextCursor }) =>
      lines(items, ({ id, state, scope, action, repo, explanation, attempts, nextRetryAt }) => ({
        id,
        state,
        event: `${scope}.${action}`,
        repo,
        explanation,
        attempts: attempts.length,
        lastStatus: attempts.at(-1)?.status,
        nextRetryAt,
      })) + more(nextCursor),
  }),
  replay: controlTool({
    key: 'POST deliveries/:id/replay',
    text: ({ number, status, error, durationMs, response }) =>
      JSON.stringify({ attempt: number, status, error, durationMs, body: response?.body }),
  }),
  move_clock: controlTool({ key: 'POST clock' }),
  add_fault: controlTool({ key: 'POST faults' }),
  remove_fault: controlTool({ key: 'DELETE faults/:id', text: () => 'Removed.' }),
  run_demo: controlTool({
    key: 'POST demos',
    text: ({ id, flowId, played, next, waiting }) =>
      JSON.stringify({ id, flowId, played, next: next?.name, url: next?.url, waiting }),
  }),
  reset: controlTool({ key: 'POST reset', text: () => 'Reset to the fixtures.' }),
}

/** The MCP server over the control API, for coding agents. */
export function createControlTools(call: CallControl, version: string): McpTools {
  return {
    name: 'hub-sandbox',
    title: 'hub-sandbox',
    version,
    instructions:
      'Controls a local sandbox of the Hugging Face Hub. To repair an app: sign_in, last_refusal, apply_fix, sign_in again. To repair a webhook receiver: trigger_event, list_deliveries, replay.',
    list: controlToolList,
    async call(name, args) {
      // The server passes names of the list only.
      const tool = own(controlTools, name) as ControlTool
      try {
        return textResult(await callTool(tool, args, call))
      } catch (error) {
        const refused = tool.key === 'POST authorize' ? '\nNext: last_refusal.' : ''
        return textResult(`${messageOf(error)}${refused}`, true)
      }
    },
  }
}

async function callTool(
  tool: ControlTool,
  args: Readonly<Record<string, unknown>>,
  call: CallControl,
): Promise<string> {
  const answer = await call(tool.key, inputOf(tool, args))
  if (tool.text === undefined) return shortText(JSON.stringify(answer), longestResponse)
  return shortText(await tool.text(answer as never, call), longestResponse)
}

/** Characters of a result: an agent pays for each, and can read details by id. */
const longestResponse = 8000
const longestPath = 200

function shortText(text: string, longest = longestPath): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`
}

function lines<Item>(items: readonly Item[], describe: (item: Item) => object): string {
  if (items.length === 0) return 'None.'
  return items.map((item) => JSON.stringify(describe(item))).join('\n')
}

function more(nextCursor: string | undefined): string {
  return nextCursor === undefined ? '' : `\nMore: cursor ${nextCursor}`
}

async function describeRefusal(
  {
    id,
    method,
    path,
    status,
    error,
    detail,
    app,
    flowId,
  }: ControlResponse<'GET requests'>['items'][0],
  call: CallControl,
): Promise<string> {
  const { clientId } = app ?? {}
  const shown = JSON.stringify({
    requestId: id,
    flowId,
    request: `${method} ${shortText(path)}`,
    status,
    error,
    reason: detail,
    clientId,
  })
  if (flowId === undefined) return shown
  const { items } = (await call('GET flows/:id/fixes', {
    params: { id: flowId },
  })) as ControlResponse<'GET flows/:id/fixes'>
  if (items.length === 0) return `${shown}\nNo fix is suggested: change the app. See show_flow.`
  const fixes = lines(items, ({ id: fix, title, change, onTheHub, fixtures }) => ({
    fix,
    title,
    change,
    onTheHub,
    fixtures,
  }))
  return `${shown}\nSuggested fixes (apply_fix with id ${flowId}):\n${fixes}`
}

/** Members of a schema of an object. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

function objectSchema(schema: ObjectSchema = {}): ObjectSchema {
  return schema
}

/** Names of the arguments by the part of the request that they belong to. */
function partsOf({ key, fixed }: ControlTool) {
  const { params, query, body }: Endpoint = controlApi[key]
  const named = (schema: TSchema | undefined): Record<string, TSchema> =>
    Object.fromEntries(
      Object.entries(objectSchema(schema).properties ?? {}).filter(([name]) => !leftOut.has(name)),
    )
  return {
    params: named(params),
    // A tool with fixed parameters is one query.
    query: fixed === undefined ? named(query) : {},
    body: named(body),
    bodySchema: body === undefined ? undefined : objectSchema(body),
  }
}

function inputSchemaOf(tool: ControlTool): Tool['inputSchema'] {
  const { params, query, body, bodySchema } = partsOf(tool)
  const { required = [], additionalProperties = false } = bodySchema ?? {}
  return {
    type: 'object',
    properties: { ...query, ...body, ...params },
    required: [...Object.keys(params), ...required],
    additionalProperties: additionalProperties,
  }
}

/** Sorts arguments into the parts of the request. Unknown ones go where the control API refuses them by name. */
function inputOf(tool: ControlTool, args: Readonly<Record<string, unknown>>): AnyInput {
  const parts = partsOf(tool)
  const params: Record<string, string> = {}
  const query: Record<string, string> = { ...tool.fixed }
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args)) {
    if (Object.hasOwn(parts.params, name)) setOwn(params, name, String(value))
    else if (parts.bodySchema === undefined || Object.hasOwn(parts.query, name)) {
      setOwn(query, name, typeof value === 'string' ? value : JSON.stringify(value))
    } else setOwn(body, name, value)
  }
  for (const name of Object.keys(parts.params)) {
    if ((own(params, name) ?? '') === '') throw new Error(`The argument ${name} is missing.`)
  }
  return { params, query, ...(parts.bodySchema === undefined ? {} : { body }) }
}

export const controlToolList: readonly Tool[] = Object.entries(controlTools).map(([name, tool]) => {
  const { summary, description }: Endpoint = controlApi[tool.key]
  return {
    name,
    description: describeTool(
      name,
      [summary, description].filter((text) => text !== undefined),
    ),
    inputSchema: inputSchemaOf(tool),
    annotations: {
      readOnlyHint: tool.isReadOnly === true,
      destructiveHint: name === 'reset',
      openWorldHint: false,
    },
  }
})

/** The last refusal is a question of its own to the list of requests. */
function describeTool(name: string, texts: readonly string[]): string {
  if (name === 'last_refusal')
    return 'Get the last refused request with its reason and suggested fixes'
  return texts.join('. ')
}
