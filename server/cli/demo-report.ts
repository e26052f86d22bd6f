import type { AuditItem } from '../contract/control-accounts.ts'
import type { FlowDetail } from '../contract/control-flows.ts'
import type { Cue, Ending, Message, Reply, ShownCode } from '../lab/demos/scene.ts'
import type { ReadIdToken } from './id-token-command.ts'

/** Output of a running demo. */
export interface DemoReport {
  /** A flow begins: who plays what. */
  begins(title: string): void
  /** A step begins. */
  cue(cue: Cue): void
  /** Request of that step with its response. */
  exchanged(message: Message, reply: Reply): void
  /** A person must act at this URL. */
  waits(url: string): void
  /** Code that a device shows its user. */
  shows(code: ShownCode): void
  idToken(token: ReadIdToken): void
  audit(rows: readonly AuditItem[]): void
  /** Prints the request that a receiver got. */
  text(text: string): void
  ends(ending: Ending): void
  /** Drawing of the sign-in by the sandbox. */
  drawing(flow: FlowDetail): void
  /** Lists commands and URLs that show the flow afterwards, each with a label. */
  looks(places: readonly (readonly [label: string, place: string])[]): void
  /** The demo has ended. */
  close(): void
}
