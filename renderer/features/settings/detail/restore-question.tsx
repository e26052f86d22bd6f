import { Question, type AskedFirst } from '../../../ui/question.tsx'
import { ForgottenRequests } from './forgotten-requests.tsx'
import { words } from '../words.ts'

/** Asks before a snapshot replaces the current state. */
export function RestoreQuestion({ of: restoring }: { of: AskedFirst<string> }) {
  return (
    <Question of={restoring} title={(wanted) => `Restore ${wanted}?`} action="Restore snapshot">
      {() => (
        <>
          {words.restoreConsequence}
          <ForgottenRequests />
        </>
      )}
    </Question>
  )
}
