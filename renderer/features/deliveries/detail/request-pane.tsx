import { useState } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton, CopyableId } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import {
  hasSecret,
  payloadText,
  type Secrets,
  shownHeaders,
  shownUrl,
  toCurl,
} from '../model/snippets.ts'
import { MessageView } from './message-view.tsx'

export function RequestPane({
  delivery,
  attempt,
  secrets,
}: {
  delivery: DeliveryItem
  attempt: AttemptItem | undefined
  /** Those of the webhook now. */
  secrets: Secrets | undefined
}) {
  const [revealed, setRevealed] = useState(false)
  const request = attempt?.request
  if (!request) {
    return <p className="p-4 text-sm text-muted">{describeNoRequest(attempt)}</p>
  }
  const headers = shownHeaders(request.headers, revealed ? secrets?.secret : undefined)
  const revealedUrl = shownUrl(request.url, secrets?.url)
  const isMasked =
    revealedUrl !== request.url || (secrets?.secret !== undefined && hasSecret(request.headers))
  return (
    <div className="flex flex-col gap-3 p-4">
      <Facts
        items={[
          ['Target', `${request.method} ${revealed ? revealedUrl : request.url}`],
          [
            'Webhook-Id',
            delivery.messageId && (
              <CopyableId key="id" text={delivery.messageId} head={14} tail={6} />
            ),
          ],
        ]}
      />
      <div className="flex flex-wrap gap-1.5">
        <CopyButton text={toCurl(request, delivery.payload, secrets)} what="curl" hotkey="c" />
        <CopyButton text={payloadText(delivery.payload)} what="body" />
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
      <MessageView name="Request" headers={headers} body={JSON.stringify(delivery.payload) ?? ''} />
    </div>
  )
}

function describeNoRequest(attempt: AttemptItem | undefined): string {
  if (attempt === undefined) return 'Nothing was sent yet.'
  if (attempt.jobId !== undefined) return 'The webhook starts a job: there is no request.'
  return attempt.error ? `Nothing was sent: ${attempt.error.message}.` : 'Nothing was sent.'
}
