import type { CookieVerdict, SpaceFrameDetail } from '../contract/control-frames.ts'
import { cookieModes, cookieModeTexts, type CookieMode } from '../contract/words/frame-words.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { sleep } from '../core/timers.ts'
import { ControlError } from '../web/control-error.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection } from './connect.ts'
import { forwardAddress, onceStopped } from './listen-command.ts'
import { openInBrowser } from './open-in-browser.ts'
import { print, printJsonLine } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { oneLine } from '../core/terminal-text.ts'

export interface SpaceFrameOptions extends ControlOptions {
  space?: string
  mode?: string
  framePort?: string
  open?: boolean
}

/** Pause between two looks at the frame. */
const pollMs = 300

/** Opens an app in a cross-site frame and prints what becomes of its cookies, until a signal arrives. */
export async function spaceFrame(url: string, options: SpaceFrameOptions): Promise<void> {
  const target = forwardAddress(url, 'The URL of the app')
  const { space } = options
  const [mode, port] = [readMode(options.mode), readPort(options.framePort)]
  const connection = await connect(options)
  // Before the frame exists, so that a signal at any moment closes it.
  const stopped = onceStopped()
  const frame = await connection.call('POST space-frames', {
    body: { target, ...omitUndefined({ space, mode, port }) },
  })
  process.stderr.write(
    `${frame.target} as the Hub shows a Space: ${frame.pageUrl}\n${cookieModeTexts[frame.mode].name}: ${cookieModeTexts[frame.mode].does}\nPress Ctrl-C to close the frame.\n`,
  )
  if (options.json === true) printJsonLine(frame)
  if (options.open === true) openInBrowser(frame.pageUrl)
  const isStopped = await Promise.race([
    follow(connection, frame.id, options.json === true).then(() => false, sayWhy),
    stopped.then(() => true),
  ])
  if (isStopped) await closeFrame(connection, frame.id)
  // The pending look would keep the process alive.
  process.exit()
}

async function follow({ call }: Connection, id: string, asJson: boolean): Promise<never> {
  const news = createCookieNews()
  for (;;) {
    const frame = await call('GET space-frames/:id', { params: { id } })
    for (const line of news(frame)) {
      if (asJson) printJsonLine(line)
      else print(oneLine(renderVerdict(line)))
    }
    await sleep(pollMs)
  }
}

interface CookieLine extends CookieVerdict {
  readonly place: 'frame' | 'direct'
  readonly name: string
  readonly attributes: string
}

/** Returns the verdicts, and the problems of the frame, that were not reported before. */
export function createCookieNews(): (
  frame: Pick<SpaceFrameDetail, 'cookies' | 'problems'>,
) => (CookieLine | { problem: string })[] {
  const reported = new Map<string, string>()
  function isNew(key: string, value: unknown): boolean {
    const text = JSON.stringify(value)
    if (reported.get(key) === text) return false
    reported.set(key, text)
    return true
  }
  return ({ cookies, problems }) => [
    ...problems.filter((problem) => isNew(problem, true)).map((problem) => ({ problem })),
    ...cookies.flatMap(({ name, attributes, inFrame, directly }) =>
      (
        [
          ['frame', inFrame],
          ['direct', directly],
        ] as const
      ).flatMap(([place, verdict]) => {
        if (verdict === undefined || !isNew(`${place} ${name}`, [attributes, verdict])) return []
        return [{ place, name, attributes, ...verdict }]
      }),
    ),
  ]
}

/** Returns `frame   not sent  session  SameSite=Lax: … Set SameSite=None; Secure; Partitioned.` */
export function renderVerdict(line: CookieLine | { problem: string }): string {
  if ('problem' in line) return line.problem
  const { place, name, state, explanation = '', fix = '' } = line
  const word = state.replace('-', ' ')
  return [place.padEnd(6), word.padEnd(8), name, `${explanation} ${fix}`.trim()]
    .join('  ')
    .trimEnd()
}

function readMode(text: string | undefined): CookieMode | undefined {
  if (text === undefined) return undefined
  const mode = cookieModes.find((known) => known === text)
  if (mode !== undefined) return mode
  throw new CommandError(`--mode must be one of ${cookieModes.join(', ')}, not ${text}.`, {
    exitCode: 2,
  })
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new CommandError(`Invalid port "${text}": use a number from 0 to 65535.`, { exitCode: 2 })
}

/** A frame that is gone was closed elsewhere; else the sandbox was killed. */
function sayWhy(error: unknown): boolean {
  const isClosed = error instanceof ControlError && error.status === 404
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(isClosed ? 'The frame was closed.\n' : `${message}\n`)
  process.exitCode = isClosed ? 0 : 1
  return false
}

async function closeFrame({ call }: Connection, id: string): Promise<void> {
  try {
    await call('DELETE space-frames/:id', { params: { id } })
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof ControlError)) throw error
  }
}
