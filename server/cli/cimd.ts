import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { MetadataDocumentCheck } from '../contract/control-apps.ts'
import { ControlError } from '../web/control-error.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection } from './connect.ts'
import { print, printJsonLine, say } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { oneLine } from '../core/terminal-text.ts'

export interface CimdOptions extends ControlOptions {
  at?: string
}

/** Interval between two looks at the file. Editors replace it, which ends a watch by the system. */
const lookMs = 250
/** Most bytes to send for a check: far more than the hub reads, and far less than the control API does. */
const mostBytes = 256 * 1024

/**
 * Serves a file as a client metadata document, and checks it again at each change, until a signal arrives. Then the
 * URL has the document that it had before, or none.
 */
export async function serveDocument(file: string, options: CimdOptions): Promise<void> {
  const text = await readDocument(file)
  const connection = await connect(options)
  // Before the first document is served, so that a signal at any moment stops serving it.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve)
  })
  const site = createSite(connection)
  try {
    let last = await checkAndServe(connection, site, { file, text, options })
    if (options.json !== true) say('Watching the file. Press Ctrl-C to stop serving it.')
    const failed = watch(file, async () => {
      const changed = await readDocument(file)
      if (changed === last) return
      last = await checkAndServe(connection, site, { file, text: changed, options })
    })
    await Promise.race([stopped, failed])
  } finally {
    unwatchFile(file)
    await site.leave()
  }
}

/** @throws {CommandError} with exit code 2 */
async function readDocument(file: string): Promise<string> {
  const invalid = (message: string, cause?: unknown) =>
    new CommandError(message, { exitCode: 2, cause })
  if (/^https?:\/\//i.test(file)) {
    throw invalid(
      `${file} is a URL: name the file. The sandbox fetches documents on loopback itself.`,
    )
  }
  let size
  try {
    const found = await stat(file)
    if (!found.isFile()) throw invalid(`${file} is not a file.`)
    size = found.size
    if (size <= mostBytes) return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw invalid(`Cannot read ${file}: ${(error as Error).message}.`, error)
  }
  throw invalid(`${file} has ${size} bytes: the Hub reads at most 5 KB of a document.`)
}

interface Version {
  file: string
  text: string
  options: CimdOptions
}

/** Reports what the hub would refuse, and serves the document if it is a JSON object. */
async function checkAndServe(
  { call }: Pick<Connection, 'call'>,
  site: Site,
  { file, text, options: { at, json } }: Version,
): Promise<string> {
  const check = await call('POST client-metadata-documents/check', {
    body: { text, ...(at === undefined ? {} : { url: at }) },
  })
  const { url, document } = check
  if (document !== undefined) await site.serve(url, document)
  if (json === true) printJsonLine(check)
  else report(file, check, site.url)
  return text
}

function report(
  file: string,
  { url, document, problems }: MetadataDocumentCheck,
  served: string | undefined,
): void {
  for (const { line, column, message, fix } of problems) {
    print(oneLine(`${file}:${line}:${column}  ${message}`))
    print(oneLine(`  Fix: ${fix}`))
  }
  if (document === undefined) {
    const still = served === undefined ? '' : ` ${served} still has the version before.`
    say(`Not served: the file is not a JSON object.${still}`)
  } else if (problems.length === 0) {
    print(`client_id ${url}`)
    say('The Hub accepts this document.')
  } else {
    print(`client_id ${url}`)
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    say(`The Hub refuses this document: ${count}.`)
  }
}

type Document = NonNullable<MetadataDocumentCheck['document']>

interface Site {
  /** URL of the served document. */
  readonly url: string | undefined
  serve(url: string, document: Document): Promise<void>
  /** Stops serving. An unreachable sandbox is left alone. */
  leave(): Promise<void>
}

function createSite({ call }: Pick<Connection, 'call'>): Site {
  let served: { url: string; before: Document | undefined } | undefined

  async function put(url: string, document: Document, isThere: boolean): Promise<void> {
    if (isThere) {
      await call('PATCH client-metadata-documents/:url', { params: { url }, body: { document } })
    } else await call('POST client-metadata-documents', { body: { url, document } })
  }

  async function find(url: string): Promise<Document | undefined> {
    try {
      return (await call('GET client-metadata-documents/:url', { params: { url } })).document
    } catch (error) {
      if (error instanceof ControlError && error.status === 404) return undefined
      throw error
    }
  }

  async function leave(): Promise<void> {
    if (served === undefined) return
    const { url, before } = served
    served = undefined
    try {
      if (before === undefined) {
        await call('DELETE client-metadata-documents/:url', { params: { url } })
      } else await put(url, before, true)
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof ControlError)) throw error
    }
  }

  return {
    get url() {
      return served?.url
    },
    async serve(url, document) {
      if (served !== undefined && served.url !== url) await leave()
      const present = await find(url)
      served ??= { url, before: present }
      await put(url, document, present !== undefined)
    },
    leave,
  }
}

/**
 * Calls back at each change of a file, one call after the other. A file that cannot be read is reported, and watched further.
 * @returns a promise that rejects when the sandbox can no longer be reached
 */
function watch(file: string, changed: () => Promise<void>): Promise<never> {
  return new Promise((_resolve, reject) => {
    let queue = Promise.resolve()
    watchFile(file, { interval: lookMs }, (now: Stats, before: Stats) => {
      if (now.mtimeMs === before.mtimeMs && now.size === before.size && now.ino === before.ino)
        return
      queue = queue.then(changed).catch((error: unknown) => {
        if (error instanceof CommandError && error.exitCode === 2) say(error.message)
        else reject(error)
      })
    })
  })
}
