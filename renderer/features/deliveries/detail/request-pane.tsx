import { useState } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton, CopyableId } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { repeatText } from '../../../shared/repeat-request.ts'
import {
  hasSecret,
  isRepeatable,
  payloadText,
  repeated,
  type Secrets,
  shownHeaders,
  shownUrl,
} from '../model/snippets.ts'
import { MessageView } from './message-view.tsx'
import { words } from '../words.ts'

export function RequestPane({
  delivery,
  attempt,
  secrets,
}: {
  delivery: DeliveryItem
  attempt: AttemptItem | undefined
  /** Current secrets of the webhook. */
  secrets: Secrets | undefined
}) {
  const [revealed, setRevealed] = useState(false)
  const request = attempt?.request
  if (!request) {
    return <p className="p-4 text-sm text-muted">{describeNoRequest(attempt)}</p>
  }
  const { sent } = request
  const headers = shownHeaders(request.headers, revealed ? secrets?.secret : undefined)
  const revealedUrl = shownUrl(request.url, secrets?.url)
  const isMasked =
    revealedUrl !== request.url || (secrets?.secret !== undefined && hasSecret(request.headers))
  return (
    <div className="flex flex-col gap-3 p-4">
      <Facts
        items={[
          [words.target, `${request.method} ${revealed ? revealedUrl : request.url}`],
          [
            'Webhook-Id',
            delivery.messageId && (
              <CopyableId key="id" text={delivery.messageId} head={14} tail={6} />
            ),
          ],
        ]}
      />
      <div className="flex flex-wrap gap-1.5">
        {isRepeatable(request) && (
          <CopyButton
            text={repeatText('curl', repeated(request, delivery.payload, secrets))}
            what="curl"
            hotkey="c"
          />
        )}
        <CopyButton text={sent?.body ?? payloadText(delivery.payload)} what="body" />
        {isMasked && (
          <Button
            size="small"
            icon="eye"
            aria-pressed={revealed}
            onClick={() => setRevealed(!revealed)}
          >
            {revealed ? 'Mask secret' : 'Reveal secret'}
          </Button>
        )}
      </div>
      {sent?.truncated && (
        <p className="text-xs text-warn">
          {`The first ${formatBytes(sent.body.length)} of ${formatBytes(sent.size)} are kept.`}
        </p>
      )}
      <MessageView
        name="Request"
        headers={headers}
        body={sent?.body ?? JSON.stringify(delivery.payload) ?? ''}
        {...(sent && { encoding: sent.encoding })}
      />
    </div>
  )
}

function describeNoRequest(attempt: AttemptItem | undefined): string {
  if (attempt === undefined) return 'Not sent yet.'
  if (attempt.jobId !== undefined) return 'The webhook starts a job, so there is no request.'
  return attempt.error ? `Not sent: ${attempt.error.message}.` : 'Not sent.'
}
