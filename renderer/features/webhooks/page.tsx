import { useState } from 'react'
import type { WebhookItem } from '../../../server/contract/control-webhooks.ts'
import { useWebhooks } from '../../api/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { CardList } from '../../ui/virtual-list.tsx'
import { useMediaQuery } from '../../lib/media-query.ts'
import { useClearParameters, useFlag, useParameter } from '../../lib/parameters.ts'
import { LinksPanel } from './list/links-panel.tsx'
import { WebhookCard } from './list/webhook-card.tsx'
import { AuditDialog } from './detail/audit-dialog.tsx'
import { WebhookDialog } from './detail/webhook-dialog.tsx'
import { words } from './words.ts'

export function WebhooksPage() {
  const webhooks = useWebhooks()
  const [isNew, setNew] = useFlag('new')
  // The page of a sample receiver links here with its URL.
  const [url] = useParameter('url')
  const close = useClearParameters()
  const columns = useMediaQuery('(min-width: 80rem)') ? 2 : 1
  // Here and not in the card, which is another one after the window was resized.
  const [edited, setEdited] = useState<WebhookItem>()
  const [audited, setAudited] = useState<WebhookItem>()
  const create = () => setNew(true, { push: true })
  return (
    <Page
      title={words.webhooks}
      lead="Receivers for Hub events."
      actions={
        <Button look="primary" icon="plus" onClick={create}>
          {words.createWebhook}
        </Button>
      }
    >
      <QueryView query={webhooks} what="webhooks">
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="webhook"
              title="No webhooks yet"
              actions={
                <Button look="primary" icon="plus" onClick={create}>
                  {words.createWebhook}
                </Button>
              }
            >
              {words.emptyHint}
            </Empty>
          ) : (
            <CardList
              label={words.webhooks}
              items={items}
              itemKey={({ id }) => id}
              columns={columns}
              estimateSize={200}
              renderItem={(webhook) => (
                <WebhookCard
                  webhook={webhook}
                  onEdit={() => setEdited(webhook)}
                  onAudit={() => setAudited(webhook)}
                />
              )}
            />
          )
        }
      </QueryView>
      <div className="mt-6">
        <LinksPanel />
      </div>
      {(isNew || url !== '') && <WebhookDialog initialUrl={url} onClose={close} />}
      {audited && <AuditDialog webhook={audited} onClose={() => setAudited(undefined)} />}
      {edited && <WebhookDialog webhook={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  )
}
