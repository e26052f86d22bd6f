import { useState } from 'react'
import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { Button } from '../../../components/button.tsx'
import { CopyButton, CopyableId } from '../../../components/copy.tsx'
import { Facts } from '../../../components/facts.tsx'
import { payloadText, shownHeaders, toCurl } from '../lib/snippets.ts'
import { MessageView } from './message-view.tsx'

export function RequestPane({
  delivery,
  attempt,
}: {
  delivery: DeliveryItem
  attempt: AttemptItem | undefined
}) {
  const [revealed, setRevealed] = useState(false)
  const request = attempt?.request
  if (!request) {
    return (
      <p className="p-4 text-sm text-muted">
        {attempt ? 'A job was started instead of a request.' : 'Nothing was sent yet.'}
      </p>
    )
  }
  const headers = shownHeaders(request.headers, revealed)
  const hasSecret = headers.some(([name]) => name.toLowerCase() === 'x-webhook-secret')
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
        <CopyButton text={toCurl(request, delivery.payload)} what="curl" hotkey="c" />
        <CopyButton text={payloadText(delivery.payload)} what="body" />
        {hasSecret && (
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
