import { stripVTControlCharacters } from 'node:util'
import { isoTime } from '../core/time.ts'
import { whyUnreachable } from '../core/reach.ts'
import type { Cue, Message, Reply } from '../lab/demos/scene.ts'
import type { DemoReport } from './demo-report.ts'
import { flowLines } from './flow-lines.ts'
import { manyLines, oneLine } from '../core/terminal-text.ts'
import type { Paint } from './paint.ts'
import { shortenShown, shownWidth } from '../core/shown-width.ts'
import { renderTerminalQr } from './terminal-qr.ts'
import { wrap } from '../core/wrap.ts'

export interface TextOptions {
  paint: Paint
  colored: boolean
  /** Whether lines can be overwritten and a QR code can be shown. */
  isTerminal: boolean
  /** Print every request and response. */
  verbose: boolean
  /** Whether a person decides about the device. */
  withQr: boolean
  /** Characters of a line. */
  width: number
  write: (text: string) => void
}

const completed = ['Completed.', 'green'] as const
const refused = ['Refused.', 'red'] as const

interface Step {
  number: number
  cue: Cue
  /** Statuses of its responses; error codes for polls. */
  answers: string[]
}

/** Poll that came before the decision of the user: the protocol working (RFC 8628 §3.5). */
const isPending = /^400 (?:authorization_pending|slow_down)$/

const nameWidth = 'device authorization request'.length
const statusWidth = '303, 200'.length
const explanationIndent = 4 + nameWidth + 2
/** Columns below which an explanation uses the whole width, in lines below its step. */
const narrowest = explanationIndent + 60

/** Prints a line for each step; polls share one line, which is updated in a terminal. */
export function createTextReport(options: TextOptions): DemoReport {
  const { paint, isTerminal, verbose, write } = options
  let open: Step | undefined
  let count = 0
  const print = (text: string) => write(`${text}\n`)

  /** @param places maximum width of the line */
  function render({ number, cue, answers }: Step, places = Infinity): string {
    const start = String(number).padStart(2)
    const name = cue.name.padEnd(nameWidth)
    const isRefused = answers.some((answer) => /^[45]/.test(answer) && !isPending.test(answer))
    const colour = isRefused ? 'red' : 'green'
    const left = places - `${start}  ${name}  `.length
    const statuses = shortenShown(counted(answers).padEnd(statusWidth), left)
    const rest = left - shownWidth(`${statuses}  `)
    const explanation = rest > 0 ? shortenShown(oneLine(cue.explanation), rest) : ''
    return `${start}  ${paint('bold', name)}  ${paint(colour, statuses)}  ${explanation}`.trimEnd()
  }

  /** Renders a step that has ended; in a terminal its explanation is wrapped. */
  function renderEnded(step: Step): string[] {
    const whole = render(step)
    if (!isTerminal || shownWidth(stripVTControlCharacters(whole)) <= options.width) return [whole]
    const head = render({ ...step, cue: { ...step.cue, explanation: '' } })
    const indent = options.width < narrowest ? 4 : explanationIndent
    return [head, ...wrapped(step.cue.explanation, indent)]
  }

  function wrapped(text: string, indent = 4): string[] {
    const lines = isTerminal ? wrap(oneLine(text), options.width - indent) : [oneLine(text)]
    return lines.map((line) => ' '.repeat(indent) + line)
  }

  function finish(): void {
    if (open === undefined) return
    if (!verbose) print(`${isTerminal ? '\r\u001b[2K' : ''}${renderEnded(open).join('\n')}`)
    open = undefined
  }

  return {
    begins(title) {
      finish()
      count = 0
      print(`\n${paint('bold', oneLine(title))}`)
    },
    cue(cue) {
      if (open?.cue.name === 'poll' && cue.name === 'poll' && !verbose) return
      finish()
      open = { number: ++count, cue, answers: [] }
      if (verbose) print(`\n${count}. ${paint('bold', cue.name)}: ${oneLine(cue.explanation)}\n`)
      else if (isTerminal && cue.name === 'poll') write(render(open, options.width - 1))
    },
    exchanged(message, reply) {
      open?.answers.push(statusOf(reply))
      if (verbose) print(wireText(message, reply))
      else if (isTerminal && open?.cue.name === 'poll') {
        // An overwritten line must fit into one row, with a column left for the cursor.
        write(`\r\u001b[2K${render(open, options.width - 1)}`)
      } else if (options.withQr && open?.cue.name === 'poll' && open.answers.length === 1) {
        // Its line comes at the end of the polls, which a person decides.
        const [status = ''] = open.answers
        if (isPending.test(status)) print(`    Waiting for the user: polls return ${status}.`)
      }
    },
    waits: (url) => print(`    Open this URL, sign in and decide: ${url}`),
    shows({ userCode, verificationUri, verificationUriComplete = verificationUri }) {
      finish()
      print(`    Enter the code ${paint('bold', oneLine(userCode))} at ${verificationUri}`)
      if (!options.withQr) return
      if (isTerminal) {
        for (const line of renderTerminalQr(verificationUriComplete, options.colored)) {
          print(`    ${line}`)
        }
      }
      const why = whyUnreachable(verificationUri)
      if (why !== undefined) for (const line of wrapped(why)) print(paint('yellow', line))
    },
    idToken({ header, claims, signature }) {
      finish()
      const title = `ID token (${oneLine(String(header['alg']))}), signature ${oneLine(signature)}`
      for (const line of wrapped(title)) print(line)
      for (const [name, value] of Object.entries(claims)) {
        const time = ['iat', 'exp', 'auth_time'].includes(name) ? `  ${timeOf(value)}` : ''
        print(`      ${name.padEnd(20)} ${oneLine(JSON.stringify(value))}${paint('dim', time)}`)
      }
    },
    audit(rows) {
      finish()
      print(`\n${paint('bold', 'Audit log')}`)
      for (const { createdAt, organization, message, data } of rows) {
        const color = data?.['outcome'] === 'refused' ? 'red' : 'green'
        print(`    ${createdAt}  ${oneLine(organization)}  ${paint(color, oneLine(message))}`)
      }
    },
    text(text) {
      finish()
      print(manyLines(text))
    },
    ends({ outcome, explanation, fix }) {
      finish()
      const [word, colour] = outcome === 'completed' ? completed : refused
      const lines = wrapped(`${word} ${explanation}`)
      print(lines.join('\n').replace(word, paint(colour, word)))
      if (fix === undefined) return
      print(wrapped(`Fix: ${fix}`).join('\n').replace('Fix:', paint('yellow', 'Fix:')))
    },
    drawing(flow) {
      const lines = flowLines(flow, { width: options.width, paint, verbose })
      print(`\n${lines.map((line) => `    ${line}`.trimEnd()).join('\n')}`)
    },
    looks(places) {
      finish()
      const width = Math.max(...places.map(([label]) => label.length))
      const lines = places.map(([label, place]) => `    ${label.padEnd(width)}  ${place}`)
      print(`\n${lines.join('\n')}`)
    },
    close: finish,
  }
}

/** Returns `200`, or the status with the error code: `400 authorization_pending`. */
function statusOf({ status, body }: Reply): string {
  const error = /^\{.*?"error":"(\w+)"/s.exec(body)?.[1]
  return error === undefined ? String(status) : `${status} ${error}`
}

/** Combines repetitions: `400 authorization_pending ×3, 200`. */
function counted(answers: readonly string[]): string {
  const runs: { answer: string; times: number }[] = []
  for (const answer of answers) {
    const last = runs.at(-1)
    if (last?.answer === answer) last.times++
    else runs.push({ answer, times: 1 })
  }
  return runs.map(({ answer, times }) => (times > 1 ? `${answer} ×${times}` : answer)).join(', ')
}

function timeOf(seconds: unknown): string {
  return typeof seconds === 'number' && Math.abs(seconds) < 8.64e12 ? isoTime(seconds * 1000) : ''
}

function wireText({ method, path, headers = {}, body }: Message, reply: Reply): string {
  const lines = [`${method} ${path}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push('', body.replaceAll('&', '\n&'))
  const { location } = reply.headers
  lines.push('', `→ ${reply.status}`)
  if (location !== undefined) lines.push(`location: ${String(location)}`)
  lines.push(bodyText(reply), '')
  return manyLines(lines.join('\n'))
}

function bodyText({ headers, body }: Reply): string {
  const type = String(headers['content-type'] ?? '')
  if (type.includes('json')) return JSON.stringify(JSON.parse(body), undefined, 2)
  return type.includes('html')
    ? `(a page: ${/<title>([^<]*)/.exec(body)?.[1] ?? 'no title'})`
    : body
}
