import { useState } from 'react'
import type { WebhookItem } from '../../../server/contract/control-webhooks.ts'
import { useWebhooks } from '../../api/webhooks.ts'
import { webhookWords } from '../../../server/contract/words/webhook-words.ts'
import { Button } from '../../ui/button.tsx'
import { ListAndPanel } from '../../ui/list-and-panel.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Question, useQuestion } from '../../ui/question.tsx'
import { Segments } from '../../ui/segments.tsx'
import { QueryView } from '../../shared/query-view.tsx'
import { Empty, Unknown } from '../../ui/states.tsx'
import { useHotkeys } from '../../lib/hotkeys.ts'
import { useClearParameters, useFlag, useParameter } from '../../lib/parameters.ts'
import { LinksPanel } from './list/links-panel.tsx'
import { WebhookTable } from './list/webhook-table.tsx'
import { AuditDialog } from './detail/audit-dialog.tsx'
import { WebhookDialog } from './detail/webhook-dialog.tsx'
import { WebhookPanel } from './detail/webhook-panel.tsx'
import { useDeleteWebhook } from './model/requests.ts'
import { countWords, looks, wordOf } from './model/webhook-state.ts'
import { useWebhookActions, type WebhookActions } from './model/webhook-actions.ts'
import { words } from './words.ts'

export function WebhooksPage() {
  const webhooks = useWebhooks()
  const [isNew, setNew] = useFlag('new')
  // The page of a sample receiver links here with its URL.
  const [url] = useParameter('url')
  const close = useClearParameters()
  // Here and not in a row, which is another one after the window was resized.
  const [edited, setEdited] = useState<WebhookItem>()
  const [audited, setAudited] = useState<WebhookItem>()
  const deleting = useQuestion(useDeleteWebhook())
  const actions: WebhookActions = {
    ...useWebhookActions(),
    edit: setEdited,
    audit: setAudited,
    remove: deleting.ask,
  }
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
        {({ items }) => <WebhookList items={items} actions={actions} onCreate={create} />}
      </QueryView>
      {(isNew || url !== '') && <WebhookDialog initialUrl={url} onClose={close} />}
      {audited && <AuditDialog webhook={audited} onClose={() => setAudited(undefined)} />}
      {edited && <WebhookDialog webhook={edited} onClose={() => setEdited(undefined)} />}
      <Question of={deleting} title={() => 'Delete this webhook?'} action="Delete webhook">
        {({ target }) =>
          `${target} receives no further deliveries, and pending retries are cancelled.`
        }
      </Question>
    </Page>
  )
}

interface WebhookListProps {
  items: readonly WebhookItem[]
  actions: WebhookActions
  onCreate: () => void
}

const filters = ['all', ...webhookWords] as const

/** The table, with the open webhook beside it or over it. */
function WebhookList({ items, actions, onCreate }: WebhookListProps) {
  const [openId, setOpenId] = useParameter('open')
  const [chosen, setChosen] = useParameter('state', filters)
  const counts = countWords(items)
  const shown = chosen === 'all' ? items : items.filter((item) => wordOf(item) === chosen)
  const opened = items.find(({ id }) => id === openId)
  const close = () => setOpenId('')
  useHotkeys({ Escape: close }, openId !== '')
  return (
    <ListAndPanel
      label={words.webhook}
      onClose={close}
      renderList={(isBeside) => (
        // The links keep their place and what is typed there when the first webhook appears.
        <div className="flex flex-col gap-6">
          {items.length === 0 ? (
            <NoWebhooks onCreate={onCreate} />
          ) : (
            <div className="flex flex-col gap-3">
              <Segments
                label={words.state}
                value={chosen}
                onChange={setChosen}
                options={[
                  { value: 'all', label: 'All', count: items.length },
                  ...webhookWords
                    .filter((word) => word === chosen || counts.has(word))
                    .map((word) => ({
                      value: word,
                      label: looks[word].word,
                      count: counts.get(word) ?? 0,
                    })),
                ]}
              />
              <Panel flush>
                {shown.length === 0 ? (
                  <Empty
                    icon="webhook"
                    title={`No webhook is ${chosen}`}
                    actions={<Button onClick={() => setChosen('all')}>Show all webhooks</Button>}
                  />
                ) : (
                  <WebhookTable
                    items={shown}
                    openId={openId}
                    onOpen={({ id }) => setOpenId(id === openId && isBeside ? '' : id)}
                    isBeside={isBeside}
                    actions={actions}
                  />
                )}
              </Panel>
            </div>
          )}
          <LinksPanel />
        </div>
      )}
      renderPanel={
        openId === ''
          ? undefined
          : (isBeside) =>
              opened ? (
                <WebhookPanel
                  webhook={opened}
                  actions={isBeside ? actions : closingFirst(actions, close)}
                  onClose={isBeside ? close : undefined}
                />
              ) : (
                <Unknown title="Webhook not found">{`No webhook has the id ${openId}.`}</Unknown>
              )
      }
    />
  )
}

function NoWebhooks({ onCreate }: Pick<WebhookListProps, 'onCreate'>) {
  return (
    <Empty
      icon="webhook"
      title="No webhooks yet"
      actions={
        <Button look="primary" icon="plus" onClick={onCreate}>
          {words.createWebhook}
        </Button>
      }
    >
      {words.emptyHint}
    </Empty>
  )
}

/** Dialogs take the place of the panel where that is a dialog itself. */
function closingFirst(actions: WebhookActions, close: () => void): WebhookActions {
  const after = (act: (webhook: WebhookItem) => void) => (webhook: WebhookItem) => {
    close()
    act(webhook)
  }
  return {
    ...actions,
    edit: after(actions.edit),
    audit: after(actions.audit),
    remove: after(actions.remove),
  }
}
