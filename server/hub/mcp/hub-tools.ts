import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { type Static, type TObject, Type } from 'typebox'
import { NewDiscussionBody } from '../../contract/hub-discussions.ts'
import { JobSpecBody } from '../../contract/hub-webhooks.ts'
import { OneOf } from '../../contract/one-of.ts'
import { type RepoType, repoTypes } from '../../contract/words/hub-words.ts'
import { encodeText } from '../../core/encode-text.ts'
import { isObject } from '../../core/is-object.ts'
import { Refusal } from '../../core/refusal.ts'
import { own } from '../../core/own.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { repoWebPath } from '../files/repo-names.ts'
import type { Inject } from '../../web/inject.ts'
import { type McpTools, textResult } from '../../web/mcp/serve-mcp.ts'

/** Request to the hub's API that a tool stands for. */
interface HubRequest {
  method: 'GET' | 'POST'
  url: string
  payload?: object
}

interface HubTool {
  readonly title: string
  readonly description: string
  readonly input: TObject
  readonly isReadOnly: boolean
  request(args: never, caller: string | undefined): HubRequest
  /** Text for the model, from the body of the response. */
  text(body: string): string
}

function hubTool<const T extends TObject>(
  tool: Omit<HubTool, 'input' | 'request'> & {
    input: T
    request(args: Static<T>, caller: string | undefined): HubRequest
  },
): HubTool {
  return tool
}

/** URL path at which a client must sign in. */
const signInPath = '/mcp?login'

/** Longest text of a file, in characters; a model reads no more at once. */
const longestText = 64 * 1024

const repo = Type.String({ pattern: '^[^/]+/[^/]+$', description: 'namespace/name' })
const type = Type.Optional(OneOf(repoTypes, 'Type of the repo; default: model'))

/** Tools as calls of the Hub's API, which checks rights and explains mistakes. */
const hubTools: Readonly<Record<string, HubTool>> = {
  hf_whoami: hubTool({
    title: 'Who am I',
    description: 'Get the signed-in user and the organizations of the token',
    input: Type.Object({}),
    isReadOnly: true,
    request: () => ({ method: 'GET', url: '/api/whoami-v2' }),
    text: (body) => body,
  }),
  hub_repo_search: hubTool({
    title: 'Search repos',
    description: 'Find models, datasets or Spaces by words of their name',
    input: Type.Object({
      query: Type.Optional(Type.String({ description: 'Words that the name contains' })),
      type,
      author: Type.Optional(Type.String({ description: 'Namespace' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most results' }),
      ),
    }),
    isReadOnly: true,
    request({ query, author, limit = 20, ...args }) {
      const parameters = { ...omitUndefined({ search: query, author }), limit: String(limit) }
      return {
        method: 'GET',
        url: `/api/${args.type ?? 'model'}s?${new URLSearchParams(parameters).toString()}`,
      }
    },
    text: describeRepos,
  }),
  hub_read_file: hubTool({
    title: 'Read a file',
    description: 'Read a text file of a repo, as stored in git',
    input: Type.Object({
      repo,
      type,
      path: Type.String({ minLength: 1, description: 'Path in the repo' }),
      revision: Type.Optional(
        Type.String({ minLength: 1, description: 'Branch, tag or commit; default: main' }),
      ),
    }),
    isReadOnly: true,
    request: ({ path, revision = 'main', ...args }) => ({
      method: 'GET',
      url: `${webPath(args)}/raw/${encodeText(revision)}/${path.split('/').map(encodeText).join('/')}`,
    }),
    text: describeFile,
  }),
  hub_open_discussion: hubTool({
    title: 'Open a discussion',
    description: 'Open a discussion in a repo as the signed-in user',
    input: Type.Object({
      repo,
      type,
      title: NewDiscussionBody.properties.title,
      description: Type.Optional(NewDiscussionBody.properties.description),
    }),
    isReadOnly: false,
    request: ({ title, description = '', ...args }) => ({
      method: 'POST',
      url: `/api/${args.type ?? 'model'}s/${namePath(args.repo)}/discussions`,
      payload: { title, description },
    }),
    text: (body) => body,
  }),
  hub_run_job: hubTool({
    title: 'Run a job',
    description: 'Run a job in your namespace or that of an organization',
    input: Type.Object({
      namespace: Type.Optional(
        Type.String({ minLength: 1, description: 'User or organization; default: you' }),
      ),
      ...Type.Pick(JobSpecBody, [
        'dockerImage',
        'spaceId',
        'command',
        'arguments',
        'environment',
        'flavor',
        'timeoutSeconds',
      ]).properties,
    }),
    isReadOnly: false,
    request: ({ namespace, ...spec }, caller = '-') => ({
      method: 'POST',
      url: `/api/jobs/${encodeText(namespace ?? caller)}`,
      payload: spec,
    }),
    text: describeJob,
  }),
}

/** Caller of the MCP server, and the way in which its tools reach the hub. */
export interface HubToolCaller {
  readonly inject: Inject
  /** Host and credentials of the MCP request. */
  readonly headers: Readonly<Record<string, string>>
  readonly username: string | undefined
  readonly version: string
  /** Takes note of a call that needs a sign-in or another scope. */
  readonly refused: (refusal: Refusal) => void
}

/** The Hub's MCP server for one caller. */
export function createHubTools(caller: HubToolCaller): McpTools {
  return {
    name: 'hub-sandbox-hub',
    title: 'Hugging Face Hub (hub-sandbox)',
    version: caller.version,
    instructions:
      'Repos, files, discussions and jobs of a local sandbox of the Hugging Face Hub. Public repos need no sign-in.',
    list: toolList,
    async call(name, args) {
      // The server passes names of the list only.
      const tool = own(hubTools, name) as HubTool
      const problem = argumentProblem(tool.input, args)
      if (problem !== undefined) return textResult(`Invalid arguments: ${problem}.`, true)
      return callHub(caller, tool, args)
    },
  }
}

const toolList: readonly Tool[] = Object.entries(hubTools).map(
  ([name, { title, description, input, isReadOnly }]) => ({
    name,
    title,
    description,
    inputSchema: closed(input),
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  }),
)

/** A misspelt argument is refused, since it would be ignored. */
function closed(input: TObject): Tool['inputSchema'] {
  return { ...input, additionalProperties: false }
}

const validators = new WeakMap<TObject, ReturnType<AjvJsonSchemaValidator['getValidator']>>()

function argumentProblem(input: TObject, args: unknown): string | undefined {
  const known = validators.get(input)
  const validate =
    known ?? new AjvJsonSchemaValidator().getValidator(closed(input) as Record<string, unknown>)
  validators.set(input, validate)
  return validate(args)
    .errorMessage?.replaceAll(/\bdata\/?/g, '')
    .trim()
}

async function callHub(
  { inject, headers, username, refused }: HubToolCaller,
  tool: HubTool,
  args: object,
): Promise<CallToolResult> {
  const called = tool.request(args as never, username)
  // Each part of a path is encoded, but that leaves dots, and a URL resolves them.
  if (/\/\.{1,2}(?:[/?]|$)/.test(called.url)) {
    return textResult('Invalid arguments: names and paths must not have a segment . or ...', true)
  }
  const response = await inject({
    ...called,
    headers: { ...headers, 'user-agent': 'hub-sandbox-mcp' },
  })
  const { statusCode: status, body } = response
  if (status < 300) return textResult(tool.text(body))
  const message = errorText(body) ?? `The Hub responded with ${status}.`
  const scope = /scope="([^"]+)"/.exec(String(response.headers['www-authenticate'] ?? ''))?.[1]
  if (status === 401 && username !== undefined) refused(new Refusal('invalid_token', message))
  if (status === 403 && scope !== undefined) refused(new Refusal('forbidden', message, { scope }))
  return textResult(
    status === 401 ? `${message} Sign in first: connect to ${signInPath}.` : message,
    true,
  )
}

function errorText(body: string): string | undefined {
  const { error } = parsed(body) as { error?: unknown }
  return typeof error === 'string' ? error : undefined
}

function parsed(body: string): object {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) || Array.isArray(value) ? value : {}
  } catch {
    // A fault may have changed the response.
    return {}
  }
}

function describeRepos(body: string): string {
  const repos = parsed(body)
  if (!Array.isArray(repos) || repos.length === 0) return 'No repos found.'
  return (repos as Record<string, unknown>[])
    .map(({ id, private: isPrivate, likes, downloads, lastModified }) =>
      JSON.stringify({ id, private: isPrivate, likes, downloads, lastModified }),
    )
    .join('\n')
}

function describeFile(body: string): string {
  if (body.includes('\0')) return 'The file is binary; it cannot be read as text.'
  if (body.length <= longestText) return body
  return `${body.slice(0, longestText)}\n[The first ${longestText} of ${body.length} characters.]`
}

function describeJob(body: string): string {
  const { id, status, owner } = parsed(body) as Record<string, unknown>
  return JSON.stringify({ id, status, owner })
}

function namePath(name: string): string {
  return name.split('/').map(encodeText).join('/')
}

function webPath(args: { repo: string; type?: RepoType }): string {
  return repoWebPath(args.type ?? 'model', namePath(args.repo))
}
