import { createInterface, type Interface } from 'node:readline'
import type { AuditRunItem } from '../contract/control-audits.ts'
import { oneLine } from '../core/terminal-text.ts'
import { say } from './output.ts'

/** Input lines for a prompt. */
const answers = new Map([
  ['', 'continue'],
  ['s', 'skip'],
  ['skip', 'skip'],
] as const)
type Answer = 'continue' | 'skip'

/** Dialogue with a person who does the steps of an audit. */
export interface AuditPrompts {
  /** Says that the honest sign-in was seen, once. */
  noteHonest(item: AuditRunItem): void
  /** Shows the next task of the person. @returns the input, if there is one */
  follow(item: AuditRunItem): Answer | undefined
  close(): void
}

/** @param onEnd called at the end of the input (Ctrl-D) */
export function createAuditPrompts(onEnd: () => void): AuditPrompts {
  const lines: string[] = []
  let reader: Interface | undefined
  let prompt: string | undefined
  let isHonest = true

  function begin(item: AuditRunItem): Interface {
    say(introductionTo(item))
    const begun = createInterface({ input: process.stdin })
    begun.on('line', (line) => void lines.push(line.trim().toLowerCase()))
    begun.on('close', onEnd)
    return begun
  }

  return {
    noteHonest({ module = 'plain' }) {
      if (reader === undefined || !isHonest || module === 'plain') return
      isHonest = false
      say('The honest sign-in succeeded.')
    },
    follow(item) {
      const { waitsFor } = item
      if (waitsFor === undefined) {
        prompt = undefined
        return undefined
      }
      reader ??= begin(item)
      const asked = `${placeOf(item)}: ${oneLine(waitsFor)}\n${keysOf(item)}`
      if (asked !== prompt) {
        say(asked)
        prompt = asked
        // A key that was pressed before this prompt does not count.
        lines.length = 0
      }
      const line = lines.shift()
      if (line === undefined) return undefined
      const answer = answers.get(line as '')
      if (answer === undefined) say(keysOf(item))
      return answer
    },
    close() {
      reader?.off('close', onEnd)
      reader?.close()
    },
  }
}

function introductionTo({ subject, clientId = '', planned }: AuditRunItem): string {
  const count = planned.length === 1 ? 'one module' : `each of ${planned.length} modules`
  return `You sign in to ${oneLine(subject)} (${oneLine(clientId)}): honestly first, and then for ${count}. Some of these sign-ins must fail. Ctrl-C ends the audit with a report.`
}

function placeOf({ module = 'plain', planned }: AuditRunItem): string {
  if (module === 'plain') return 'Honest sign-in'
  const place = planned.indexOf(module)
  // The garbage probe runs first although it may not be selected.
  return place === -1 ? module : `${module} (${place + 1} of ${planned.length})`
}

function keysOf({ step, module }: AuditRunItem): string {
  const isSignIn = step?.name === 'sign-in'
  const press = isSignIn ? 'Press Enter if the app begins no sign-in' : 'Press Enter when done'
  // Nothing can be judged without the honest sign-in.
  const skip = module === 'plain' ? '.' : ', or s and Enter to skip the module.'
  return `${isSignIn ? 'The audit then continues by itself. ' : ''}${press}${skip}`
}
