import type { AuditUser, ModuleEvidence } from '../app-module.ts'

/** Checks whether the page of the probe has the name of a user. An address is what the app was given, and proves nothing. */
export function showsUser(
  { signedInPage = '', facts }: Pick<ModuleEvidence, 'signedInPage' | 'facts'>,
  user: AuditUser | undefined,
): boolean {
  if (user === undefined) return false
  const text = signedInPage.replaceAll(facts.otherUser?.email ?? '\n', '')
  return text.split(/[^\w-]+/).includes(user.username)
}
