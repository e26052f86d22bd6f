import { Question, type AskedFirst } from '../../../ui/question.tsx'
import { ForgottenRequests } from './forgotten-requests.tsx'

/** Asks before the present state gives way to that of a snapshot. */
export function RestoreQuestion({ of: restoring }: { of: AskedFirst<string> }) {
  return (
    <Question of={restoring} title={(wanted) => `Go back to ${wanted}?`} action="Restore it">
      {() => (
        <>
          What there is now is lost unless you keep it under a name first: tokens, sessions, repos,
          webhooks, deliveries and the clock become those of the snapshot, and faults are cleared.
          <ForgottenRequests />
        </>
      )}
    </Question>
  )
}
