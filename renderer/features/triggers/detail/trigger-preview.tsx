import { useState } from 'react'
import type { TriggerResult } from '../../../../server/contract/control-events.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Code } from '../../../ui/code.tsx'
import { Select } from '../../../ui/select.tsx'
import { words } from '../words.ts'

interface TriggerPreviewProps {
  result: TriggerResult | undefined
  webhookName: (id: string) => string
}

/** Payloads that webhooks would receive, and skipped webhooks with the reason. */
export function TriggerPreview({ result, webhookName }: TriggerPreviewProps) {
  const [chosen, setChosen] = useState('0')
  if (!result) return null
  const payloads = result.payloads ?? []
  const shown = payloads[Number(chosen)] ?? payloads[0]
  const event = (id: string) => {
    const found = result.events.find((item) => item.id === id)
    return found ? `${found.scope} · ${found.action}` : id
  }
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-2">
      {result.skipped.length > 0 && (
        <ul className="flex flex-col gap-1 text-xs text-muted">
          {result.skipped.map(({ eventId, webhookId, reason }) => (
            <li key={`${eventId} ${webhookId}`} className="flex items-center gap-2">
              <Badge icon="skip">{reason}</Badge>
              <span className="truncate">
                {`${webhookName(webhookId)} does not receive ${event(eventId)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {payloads.length > 1 && (
        <Select
          label={words.payload}
          value={payloads[Number(chosen)] ? chosen : '0'}
          onChange={setChosen}
          options={payloads.map(({ eventId, webhookId }, index) => ({
            value: String(index),
            label: `${event(eventId)} to ${webhookName(webhookId)}`,
          }))}
        />
      )}
      {shown && (
        <Code json label={words.payload} text={JSON.stringify(shown.payload, null, 2) ?? ''} />
      )}
      {payloads.length === 0 && (
        <p className="text-xs text-muted">
          No webhook would receive it. The change is still made, and the reasons are kept.
        </p>
      )}
    </section>
  )
}
