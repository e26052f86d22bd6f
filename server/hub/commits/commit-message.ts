import { Refusal } from '../../core/refusal.ts'

/**
 * Lets pass what git can keep in the message of a commit. It ends a text at a NUL: what follows is lost to whoever reads
 * it, and its own checks refuse the commit.
 * @param what the text is, for the refusal
 * @throws {Refusal} `invalid`
 */
export function checkMessage(what: string, text: string): void {
  if (text.includes('\0')) throw new Refusal('invalid', `The ${what} has a NUL in it`)
}
