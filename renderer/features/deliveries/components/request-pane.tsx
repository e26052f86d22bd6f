import { useState } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { Button } from '../../../components/button.tsx'
import { CopyButton, CopyableId } from '../../../components/copy.tsx'
import { Facts } from '../../../components/facts.tsx'
import { hasSecret, payloadText, shownHeaders, toCurl } from '../lib/snippets.ts'
import { MessageView } from './message-view.tsx'

export function RequestPane({
  delivery,
  attempt,
  secret,
}: {
  delivery: DeliveryItem
  attempt: AttemptItem | undefined
  /** That of the webhook now. */
  secret: string | undefined
}) {
  const [revealed, setRevealed] = useState(false)
  const request = attempt?.request
  if (!request) {
    return <p className="p-4 text-sm text-muted">{describeNoRequest(attempt)}</p>
  }
  const headers = shownHeaders(request.headers, revealed ? secret : undefined)
  return (
    <div className="flex flex-col gap-3 p-4">
      <Facts
        items={[
          ['Target', `${request.method} ${request.url}`],
          [
            'Webhook-Id',
            delivery.messageId && (
              <CopyableId key="id" text={delivery.messageId} head={14} tail={6} />
            ),
          ],
        ]}
      />
      <div className="flex flex-wrap gap-1.5">
        <CopyButton text={toCurl(request, delivery.payload, secret)} what="curl" hotkey="c" />
        <CopyButton text={payloadText(delivery.payload)} what="body" />
        {secret !== undefined && hasSecret(request.headers) && (
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
