import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Sandbox } from '../client/sandbox-api.ts'
import type { UserItem } from '../contract/control-accounts.ts'
import type { ControlResponse } from '../contract/control-call.ts'
import { suggestion } from '../contract/suggestion.ts'
import { type DriftFormat, driftFormats } from '../contract/words/drift-words.ts'
import { readUserText, UserFileError } from '../core/user-file.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Side } from '../lab/drift/against-drift.ts'
import { compareWithDocument, compareWithHub } from '../lab/drift/compare-with-hub.ts'
import {
  type DriftReport,
  exitCodeOf,
  explainDifference,
  renderDrift,
} from '../lab/drift/drift-report.ts'
import { createSend, DriftError, type SendDeps, type Target } from '../lab/drift/send-calls.ts'
import { CommandError } from './command-error.ts'
import { prepareFile, writeWhole } from './exec/written-file.ts'
import { describeFailure } from './failure.ts'
import { print, say, terminalWidth, writeOut } from './output.ts'
import { renderTable } from './render-table.ts'

export interface DriftOptions {
  openapi?: string
  against?: string
  token?: string
  rate?: string
  repo?: string[]
  fixtures?: string
  all?: boolean
  explain?: string
  format?: string
  out?: string
  json?: boolean
}

/**
 * Compares the sandbox with the OpenAPI document of the Hub, or with a Hub itself.
 * @throws {CommandError} with exit code 2 for a document or Hub that cannot be compared
 */
export async function drift(options: DriftOptions): Promise<void> {
  try {
    await compare(options)
  } catch (error) {
    const { message } = describeFailure(
      error instanceof DriftError ? new CommandError(error.message, { cause: error }) : error,
    )
    throw new CommandError(message, { exitCode: 2, cause: error })
  }
}

async function compare(options: DriftOptions): Promise<void> {
  const { openapi, against, out, explain } = options
  if ((openapi === undefined) === (against === undefined)) {
    throw new CommandError(
      'Pass --openapi with the OpenAPI document of the Hub, or --against with the URL of a Hub.',
    )
  }
  const format = readFormat(options)
  if (out !== undefined) prepareFile('--out', out)
  const report =
    openapi === undefined ? await askHub(against ?? '', options) : await readDocument(openapi)
  if (explain !== undefined) return explainOne(report, explain)
  const text = renderDrift(format, report, {
    all: options.all === true,
    table: (rows) => renderTable(rows, out === undefined ? terminalWidth() : Infinity),
  })
  if (out === undefined) writeOut(text)
  else await writeWhole(out, text)
  process.exitCode = exitCodeOf(report)
}

function explainOne(report: DriftReport, key: string): void {
  const lines = explainDifference(report, key)
  if (lines !== undefined) return print(lines.join('\n'))
  const keys = report.differences.map((one) => one.key)
  throw new CommandError(
    `No difference has the key "${key}"${suggestion(key, keys)}. List the keys with --all --format json.`,
  )
}

function readFormat({ format, json, out }: DriftOptions): DriftFormat {
  const ofFile = out === undefined ? undefined : /\.(?:json|md)$/.exec(out)?.[0]
  const wanted =
    format ??
    (json === true || ofFile === '.json' ? 'json' : ofFile === '.md' ? 'markdown' : 'text')
  const known = driftFormats.find((one) => one === wanted)
  if (known !== undefined) return known
  throw new CommandError(
    `Unknown format ${wanted}${suggestion(wanted, [...driftFormats])}. Pass --format with one of: ${driftFormats.join(', ')}.`,
  )
}

/** Compares with a document; the responses are those of a sandbox of its own. */
async function readDocument(source: string): Promise<DriftReport> {
  const text = await loadDocument(source)
  return withSandbox({}, async (here) =>
    withReceiver(async (receiver) => compareWithDocument({ source, text }, here, receiver)),
  )
}

const mostDocumentBytes = 64 * 1024 * 1024

async function loadDocument(source: string): Promise<string> {
  if (/^https?:\/\//i.test(source)) return fetchText(source)
  try {
    return await readUserText(source, mostDocumentBytes)
  } catch (error) {
    if (error instanceof UserFileError) throw new CommandError(`${source} ${error.message}.`)
    throw error
  }
}

async function fetchText(url: string): Promise<string> {
  const { origin, pathname, search } = new URL(url)
  const send = createSend({ origin, tokens: {}, mostBytes: mostDocumentBytes }, deps)
  const { status, text } = await send({
    method: 'GET',
    path: pathname + search,
    headers: { accept: 'application/json' },
    as: 'nobody',
  })
  if (status === 200) return text
  throw new CommandError(`${url}: the server responds with ${status}.`)
}

const deps: SendDeps = {
  fetch,
  wait: (ms) => wait(ms),
  now: () => Date.now(),
  onWait: (seconds) => say(`The Hub asks to wait: ${seconds} s.`),
}

/** Calls a second, unless --rate is given. */
const usualRate = 2

async function askHub(url: string, options: DriftOptions): Promise<DriftReport> {
  const origin = readOrigin(url)
  const hub: Side = {
    send: createSend(
      {
        origin,
        tokens: omitUndefined({ owner: options.token }),
        perSecond: readRate(options.rate),
      },
      deps,
    ),
    names: readRepos(options.repo),
  }
  const { fixtures, token } = options
  const isAnonymous = token === undefined
  return withSandbox({ ...omitUndefined({ fixtures }), isAnonymous }, async (here) =>
    compareWithHub(
      { origin, hub, isAnonymous, onStart: (calls) => announce(calls, origin, options) },
      here,
    ),
  )
}

function readOrigin(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin
  throw new CommandError(
    `--against requires a URL such as https://huggingface.co, but got "${url}".`,
  )
}

function readRate(text: string | undefined): number {
  const rate = text === undefined ? usualRate : Number(text)
  if (rate > 0 && rate <= 1000) return rate
  throw new CommandError(
    `--rate requires a number of calls a second from 0.1 to 1000, but got "${text}".`,
  )
}

/** Reads repos such as `acme/tiny`, `datasets/acme/corpus` and `spaces/acme/demo`, one of each type. */
function readRepos(repos: readonly string[] = []): Side['names'] {
  const names: Side['names'] = new Map()
  for (const repo of repos) {
    const [, type = 'models', name] =
      /^(?:(datasets|spaces|models)\/)?([^/\s]+\/[^/\s]+)$/.exec(repo) ?? []
    if (name === undefined) {
      throw new CommandError(
        `--repo requires a repo such as acme/tiny, datasets/acme/corpus or spaces/acme/demo, but got "${repo}".`,
      )
    }
    names.set(type.slice(0, -1), name)
  }
  return names
}

/** Says what will be asked, before anything more is. */
function announce(calls: readonly string[], origin: string, { token, rate }: DriftOptions): void {
  const sent = token === undefined ? 'without a token' : 'with your token'
  say(
    `Asking ${origin} ${sent}, at most ${readRate(rate)} calls a second, ${calls.length} calls that only read:`,
  )
  for (const call of calls) say(`  ${call}`)
}

/** Runs a sandbox in memory. @param options.isAnonymous its calls send no token, as those at the Hub */
async function withSandbox<T>(
  { isAnonymous = false, ...options }: { fixtures?: string; isAnonymous?: boolean },
  run: (here: Side) => Promise<T>,
): Promise<T> {
  const { startInProcess } = await import('../client/start-in-process.ts')
  const sandbox = await startInProcess({ ...options, logLevel: 'silent' })
  try {
    const tokens = isAnonymous ? {} : await tokensOf(sandbox)
    return await run({ send: createSend({ origin: sandbox.url, tokens }, deps), names: new Map() })
  } finally {
    await sandbox.close()
  }
}

/** Issues a token for the first user, a member of the same organization, and a user outside of it. */
async function tokensOf(sandbox: Sandbox): Promise<Target['tokens']> {
  const { items: users } = await sandbox.control<ControlResponse<'GET users'>>('GET', 'users')
  const [first] = users
  const names = new Set(first?.organizations.map(({ name }) => name))
  const isMember = ({ organizations }: UserItem) =>
    organizations.some(({ name }) => names.has(name))
  const others = users.slice(1)
  const issue = async (user: UserItem | undefined) => {
    if (user === undefined) return undefined
    return (await sandbox.tokens.mint({ user: user.username, role: 'write' })).access_token
  }
  return omitUndefined({
    owner: await issue(first),
    member: await issue(others.find(isMember)),
    outsider: await issue(others.find((user) => !isMember(user))),
  })
}

/** Runs a receiver of webhooks that accepts everything. */
async function withReceiver<T>(run: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    request.resume()
    response.end()
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  try {
    return await run(`http://localhost:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
