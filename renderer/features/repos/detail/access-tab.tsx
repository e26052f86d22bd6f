import { useState } from 'react'
import type { AccessRequestItem } from '../../../../server/contract/control-repo-contents.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { Moment } from '../../../ui/time.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { useAccessRequests, useDecideAccess, type RepoPlace } from '../model/content-requests.ts'
import { words } from '../words.ts'

/** Access requests of a gated repo, and the decisions on them. */
export function AccessTab({ place }: { place: RepoPlace }) {
  const requests = useAccessRequests(place)
  const decide = useDecideAccess(place)
  const [rejected, setRejected] = useState<string>()
  return (
    <QueryView query={requests} what="access requests">
      {({ items }) => (
        <Panel title={words.accessRequests} lead="Users who asked for access to this gated repo.">
          {items.length === 0 ? (
            <Empty icon="lock" title="No access requests">
              A user asks for access on the page of the repo.
            </Empty>
          ) : (
            <ul aria-label={words.accessRequests} className="flex flex-col divide-y divide-line">
              {items.map((request) => (
                <li
                  key={request.requestId}
                  className="flex flex-wrap items-start justify-between gap-2 py-3"
                >
                  <Request request={request} />
                  <span className="flex gap-1.5">
                    {request.status !== 'accepted' && (
                      <Button
                        size="small"
                        icon="check"
                        busy={decide.isPending}
                        onClick={() =>
                          decide.mutate({ username: request.username, status: 'accepted' })
                        }
                      >
                        Accept
                        <span className="sr-only"> {request.username}</span>
                      </Button>
                    )}
                    {request.status !== 'rejected' && (
                      <Button
                        size="small"
                        icon="cross"
                        onClick={() => setRejected(request.username)}
                      >
                        {words.reject}
                        <span className="sr-only"> {request.username}</span>
                      </Button>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {rejected !== undefined && (
            <RejectDialog
              place={place}
              username={rejected}
              onClose={() => setRejected(undefined)}
            />
          )}
        </Panel>
      )}
    </QueryView>
  )
}

const tones: Record<AccessRequestItem['status'], Tone> = {
  pending: 'warn',
  accepted: 'ok',
  rejected: 'bad',
}

function Request({ request }: { request: AccessRequestItem }) {
  const { username, status, at, fields = {}, grantedBy, rejectionReason } = request
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium break-all">{username}</span>
        <Badge tone={tones[status]}>{status}</Badge>
        <span className="text-xs text-muted">
          <Moment time={at} />
          {grantedBy !== undefined && ` · granted by ${grantedBy}`}
        </span>
      </p>
      {rejectionReason !== undefined && (
        <p className="text-xs break-words text-muted">{`Reason: ${rejectionReason}`}</p>
      )}
      <dl className="text-xs break-words text-muted">
        {Object.entries(fields).map(([question, answer]) => (
          <div key={question}>
            <dt className="inline font-medium">{question}: </dt>
            <dd className="inline">{answer}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface RejectDialogProps {
  place: RepoPlace
  username: string
  onClose: () => void
}

function RejectDialog({ place, username, onClose }: RejectDialogProps) {
  const decide = useDecideAccess(place)
  const [reason, setReason] = useState('')
  const rejectionReason = reason.trim()
  return (
    <FormDialog
      title={`Reject ${username}`}
      onClose={onClose}
      onSubmit={() =>
        decide.mutate(
          {
            username,
            status: 'rejected',
            ...(rejectionReason !== '' && { rejectionReason }),
          },
          { onSuccess: onClose },
        )
      }
      action={words.reject}
      busy={decide.isPending}
    >
      <TextField
        label="Reason"
        hint="Optional; the user sees it."
        maxLength={200}
        value={reason}
        onChange={setReason}
      />
      <FormError error={decide.error} />
    </FormDialog>
  )
}
