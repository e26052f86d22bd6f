import { Refusal } from '../../core/refusal.ts'

/**
 * Refuses a message that git cannot store: git cuts a message at a NUL, and its checks refuse the commit.
 * @param what name of the text in the refusal
 * @throws {Refusal} `invalid`
 */
export function checkMessage(what: string, text: string): void {
  if (text.includes('\0')) throw new Refusal('invalid', `The ${what} contains a NUL character`)
}
