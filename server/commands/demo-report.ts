import type { AuditItem } from '../contract/control-accounts.ts'
import type { FlowDetail } from '../contract/control-flows.ts'
import type { Cue, Ending, Message, Reply, ShownCode } from '../lab/demos/scene.ts'
import type { ReadIdToken } from './id-token.ts'

/** What is told of a demo while it is played. */
export interface DemoReport {
  /** A flow begins: who plays what. */
  begins(title: string): void
  /** A step begins. */
  cue(cue: Cue): void
  /** A request of that step, and its answer. */
  exchanged(message: Message, reply: Reply): void
  /** Somebody is waited for, at this address. */
  waits(url: string): void
  /** What a device shows its user. */
  shows(code: ShownCode): void
  idToken(token: ReadIdToken): void
  audit(rows: readonly AuditItem[]): void
  /** A text of several lines: what a receiver got. */
  text(text: string): void
  ends(ending: Ending): void
  /** The sign-in as the sandbox draws it. */
  drawing(flow: FlowDetail): void
  /** All of it was played. */
  close(): void
}
