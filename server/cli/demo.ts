import { setTimeout as sleep } from 'node:timers/promises'
import { type DemoKind, type DemoVariant, demoVariants } from '../contract/words/sandbox-words.ts'
import { ownCommand } from '../app/config/own-command.ts'
import { createIds } from '../core/ids.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { ownAgent } from '../core/own-agent.ts'
import { Refusal } from '../core/refusal.ts'
import { commandText } from '../core/shell-words.ts'
import { openCallback } from '../lab/demos/callback.ts'
import { findUser } from '../lab/demos/cast.ts'
import type { Cue, Ending, Scene } from '../lab/demos/scene.ts'
import { scriptOf } from '../lab/demos/script.ts'
import type { WholeRequest } from '../lab/demos/whole-request.ts'
import { CommandError } from './command-error.ts'
import { type Connection, nextCommand } from './connect.ts'
import { readCast } from './demo-cast.ts'
import { createJsonReport } from './demo-json.ts'
import type { DemoReport } from './demo-report.ts'
import { type DemoSandbox, findOrStartSandbox } from './demo-sandbox.ts'
import { createTextReport } from './demo-text.ts'
import { playWebhook } from './demo-webhook-command.ts'
import { readIdToken } from './id-token-command.ts'
import { onInterrupt } from './on-interrupt.ts'
import { openInBrowser } from './open-in-browser.ts'
import { writeOut } from './output.ts'
import { createPaint, wantsColor } from './paint.ts'
import type { ControlOptions } from './read-options.ts'

export interface DemoOptions extends ControlOptions {
  yes?: boolean
  deny?: boolean
  open?: boolean
  user?: string
  verbose?: boolean
  color?: boolean
}

export type DemoName = DemoKind | 'webhook'

/** Flow to play and its expected outcome. */
interface Part {
  request: Pick<WholeRequest, 'kind' | 'variant'>
  outcome: Ending['outcome']
  /** Set if the flow needs another user than the requested one. */
  ofStranger?: true
}

interface Play {
  connection: Connection
  report: DemoReport
  options: DemoOptions
  /** The last sign-in that was drawn. */
  flowId?: string
}

/**
 * Plays a client through a whole flow, on the running sandbox or on a temporary one.
 * @param variant mistake of a refused flow; absent = all
 * @throws {CommandError} if the outcome is not the expected one
 */
export async function demo(name: DemoName, options: DemoOptions, variant?: string): Promise<void> {
  checkOptions(options)
  const parts = partsOf(name, options, variant)
  const sandbox = await findOrStartSandbox(options)
  const { connection } = sandbox
  const undo: (() => Promise<unknown>)[] = [() => sandbox.close()]
  const restore = onInterrupt(async () => {
    for (const step of undo.toReversed()) await step().catch(() => undefined)
  })
  if (sandbox.isOwn) {
    process.stderr.write(`No sandbox is running. Started a temporary one at ${connection.url}.\n`)
  }
  try {
    const report = reportOf(name, options, connection)
    const play: Play = { connection, report, options }
    const failures =
      name === 'webhook'
        ? await playWebhook(connection, report, {
            user: options.user,
            onEnd: (step) => void undo.push(step),
          })
        : await playAll(play, parts)
    report.looks(placesOf(sandbox, name, play))
    report.close()
    if (failures !== undefined) throw new CommandError(failures)
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(error.message, { cause: error })
    throw error
  } finally {
    restore()
    await sandbox.close()
  }
}

/** Returns where to look at the demo, each as a label and a command or URL. */
function placesOf(
  { connection, isOwn }: DemoSandbox,
  name: DemoName,
  { options, flowId }: Pick<Play, 'options' | 'flowId'>,
): [label: string, place: string][] {
  const { url, controlToken } = connection
  // The temporary sandbox ends with the demo.
  if (isOwn)
    return [
      ['To see it in the dashboard, first run', commandText([...ownCommand(), 'start', '--open'])],
    ]
  const query = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`
  const [page, words] =
    name === 'webhook'
      ? ['deliveries', ['deliveries']]
      : flowId === undefined
        ? ['sign-ins', ['flows']]
        : [`sign-ins/${flowId}`, ['flows', flowId]]
  return [
    ['In the dashboard', `${url}/_sandbox/${page}${query}`],
    ['In the terminal', nextCommand(words, options)],
  ]
}

function checkOptions({ yes, deny, open }: DemoOptions): void {
  const refuse = (message: string) => {
    throw new CommandError(message, { exitCode: 2 })
  }
  if (yes === true && deny === true) refuse('--yes and --deny cannot be combined.')
  if (open === true && (yes === true || deny === true)) {
    refuse('--open cannot be combined with --yes or --deny, which decide without a browser.')
  }
}

function partsOf(name: DemoName, { deny }: DemoOptions, variant: string | undefined): Part[] {
  switch (name) {
    case 'webhook':
      return []
    case 'exchange':
      return [
        { request: { kind: 'exchange' }, outcome: 'completed' },
        {
          request: { kind: 'refused', variant: 'not-a-member' },
          outcome: 'refused',
          ofStranger: true,
        },
      ]
    case 'refused':
      return variantsOf(variant).map((known) => ({
        request: { kind: 'refused', variant: known },
        outcome: 'refused',
        ...(known === 'not-a-member' && variant === undefined ? { ofStranger: true } : {}),
      }))
    default:
      return [{ request: { kind: name }, outcome: deny === true ? 'refused' : 'completed' }]
  }
}

function variantsOf(variant: string | undefined): readonly DemoVariant[] {
  if (variant === undefined) return demoVariants
  const found = demoVariants.find((known) => known === variant)
  if (found !== undefined) return [found]
  throw new CommandError(`Unknown mistake ${variant}: use one of ${demoVariants.join(', ')}.`, {
    exitCode: 2,
  })
}

function reportOf(name: DemoName, options: DemoOptions, { url }: Connection): DemoReport {
  if (options.json === true) return createJsonReport(name, url)
  const isTerminal = process.stdout.isTTY
  const colored = wantsColor(options, isTerminal, process.env)
  return createTextReport({
    colored,
    isTerminal,
    paint: createPaint(colored),
    verbose: options.verbose === true,
    withQr: options.yes !== true && options.deny !== true,
    // Default width; the drawing is indented by four.
    width: (process.stdout.columns || 104) - 4,
    write: writeOut,
  })
}

/** @returns descriptions of unexpected outcomes */
async function playAll(play: Play, parts: readonly Part[]): Promise<string | undefined> {
  const cast = await readCast(play.connection)
  const hub = await readHub(play.connection)
  const wrong: string[] = []
  let played = 0
  let lacking: Refusal | undefined
  for (const part of parts) {
    try {
      const ending = await playPart(play, { cast, ...hub }, part)
      played++
      if (ending.outcome !== part.outcome) wrong.push(ending.explanation)
    } catch (error) {
      // The app for one of several mistakes may be missing.
      if (!(error instanceof Refusal) || part.request.kind !== 'refused') throw error
      lacking = error
      play.report.begins(`${part.request.variant}: skipped`)
      play.report.text(`    ${error.message}`)
    }
  }
  if (played === 0 && lacking !== undefined) throw lacking
  if (parts.some(({ request }) => request.kind === 'exchange')) await printAudit(play)
  return wrong.length === 0 ? undefined : wrong.join('\n')
}

/** Reads the issuer, and the clock by which the app judges tokens. */
async function readHub({
  request,
  call,
}: Connection): Promise<Pick<Scene, 'issuer' | 'announcesIss' | 'now'>> {
  const { body } = await request({ method: 'GET', path: '/.well-known/openid-configuration' })
  const { issuer, authorization_response_iss_parameter_supported: announcesIss = false } =
    JSON.parse(body) as { issuer: string; authorization_response_iss_parameter_supported?: boolean }
  const { offsetMs } = await call('GET clock')
  return { issuer, announcesIss, now: () => Date.now() + Math.min(0, offsetMs) }
}

async function playPart(
  play: Play,
  surroundings: Pick<Scene, 'cast' | 'issuer' | 'announcesIss' | 'now'>,
  { request, ofStranger }: Part,
): Promise<Ending> {
  const { connection, report, options } = play
  const { kind, variant } = request
  const isAsked = kind === 'sign-in' || kind === 'device'
  const isByPerson = isAsked && options.yes !== true && options.deny !== true
  const user = ofStranger === true ? undefined : options.user
  let cue: Cue | undefined
  let clientId = ''
  const scene: Scene = {
    ...surroundings,
    url: connection.url,
    ids: createIds(),
    pace: 'at-once',
    pollsEarly: true,
    answeredBy: isByPerson ? 'person' : 'sandbox',
    decision: options.deny === true ? 'deny' : 'approve',
    ...omitUndefined({ user: user === undefined ? undefined : findUser(surroundings.cast, user) }),
    openCallback,
    async send(message) {
      const headers = { 'user-agent': ownAgent, ...message.headers }
      const reply = await connection.request({ ...message, headers })
      report.exchanged(message, reply)
      const idToken = /"id_token":"([^"]+)"/.exec(reply.body)?.[1]
      if (idToken !== undefined && kind !== 'refused')
        report.idToken(await readIdToken(connection, idToken))
      return reply
    },
    waitFor(_why, what) {
      if (cue?.url !== undefined) invite(report, cue.url, options)
      return stayFor(what)
    },
    pause: (ms) => sleep(ms),
    realNow: () => performance.now(),
    plays(app, who) {
      clientId = app?.clientId ?? ''
      const playedFor = who === undefined || isByPerson ? '' : ` for ${who.username}`
      report.begins(`${variant ?? kind}: ${app?.name ?? ''}${playedFor}, at ${connection.url}`)
    },
    // Only demos inside of the sandbox have a webhook of their own.
    delivers() {},
    shows(code) {
      if (code === undefined) return
      report.shows(code)
      if (options.open === true) openInBrowser(code.verificationUriComplete ?? code.verificationUri)
    },
  }
  const script = scriptOf(scene, request)
  for (;;) {
    const { done, value } = await script.next()
    if (done === true) {
      report.ends(value)
      if (kind !== 'refused') await printDrawing(play, clientId)
      return value
    }
    cue = value
    report.cue(cue)
  }
}

/** Keeps the process alive while it waits for a browser. */
async function stayFor<T>(what: Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 60_000)
  try {
    return await what
  } finally {
    clearInterval(timer)
  }
}

function invite(report: DemoReport, url: string, { open }: DemoOptions): void {
  report.waits(url)
  if (open === true) openInBrowser(url)
}

/** Prints the newest sign-in of the app, if the log has one. */
async function printDrawing(play: Play, clientId: string): Promise<void> {
  const {
    connection: { call },
    report,
  } = play
  const { items } = await call('GET flows', { query: { limit: 10 } })
  const id = items.find(({ app }) => app?.clientId === clientId)?.id
  if (id === undefined) return
  play.flowId = id
  report.drawing(await call('GET flows/:id', { params: { id } }))
}

/** Prints the audit rows of the two exchanges, newest last. */
async function printAudit({ connection, report }: Play): Promise<void> {
  const { items } = await connection.call('GET audit-log', {
    query: { type: 'oauth.token', limit: 2 },
  })
  report.audit(items.toReversed())
}
