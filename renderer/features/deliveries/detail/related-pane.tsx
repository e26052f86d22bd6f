import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { DeliveryItem, DeliveryStory } from '../../../../server/contract/control-deliveries.ts'
import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { useDeliveryStory } from '../../../api/deliveries.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Ago } from '../../../ui/time.tsx'
import { formatInstant, plural } from '../../../lib/format.ts'
import { useParameter } from '../../../lib/parameters.ts'
import { words } from '../words.ts'

const linkClass = 'underline decoration-line-strong underline-offset-2 hover:decoration-ink'

interface RelatedPaneProps {
  delivery: DeliveryItem
  /** Absent once it was deleted. */
  webhook: WebhookItem | undefined
}

/** Cause of a delivery and possible effects of its receiver on the Hub. */
export function RelatedPane({ delivery, webhook }: RelatedPaneProps) {
  if (delivery.state === 'skipped') {
    return <p className="p-4 text-sm text-muted">Skipped: it cannot have effects.</p>
  }
  if (delivery.audit !== undefined) {
    return <p className="p-4 text-sm text-muted">{words.auditCountsNowhere}</p>
  }
  return <Story delivery={delivery} webhook={webhook} />
}

function Story({ delivery, webhook }: RelatedPaneProps) {
  const query = useDeliveryStory(delivery.id, delivery.attempts.length)
  const repo = `/repos/${delivery.repoType}/${delivery.repo}`
  return (
    <QueryView query={query} what="cause and effect">
      {(story) => (
        <div className="flex flex-col gap-5 p-4">
          <Cause story={story} repo={repo} />
          {story.chain.length > 0 && <Chain chain={story.chain} />}
          {webhook && story.effects && webhook.actsAs === undefined && (
            <LoopHint webhookId={webhook.id} deliveries={story.effects.deliveries.length} />
          )}
          {story.effects ? (
            <Effects effects={story.effects} repo={repo} />
          ) : (
            <p className="text-sm text-muted">Not sent yet, so there are no effects.</p>
          )}
        </div>
      )}
    </QueryView>
  )
}

/**
 * Says that a webhook may be triggering itself. Nothing is known about a receiver that does not declare its user, so
 * nothing of it is held.
 * @param deliveries number of deliveries to the webhook while its receiver worked on this one
 */
function LoopHint({ webhookId, deliveries }: { webhookId: string; deliveries: number }) {
  const [, setEdited] = useParameter('edit')
  if (deliveries === 0) return null
  return (
    <section className="flex flex-col items-start gap-2 rounded-lg bg-warn-soft p-3">
      <h3 className="flex items-center gap-1.5 text-sm font-medium text-warn">
        <Icon name="retry" /> Likely a loop
      </h3>
      <p className="text-sm">
        {`The webhook got ${plural(deliveries, 'more delivery', 'more deliveries')} within 5 s of this one. If its receiver caused them, choose the user that it acts as in the webhook: the sandbox then holds a webhook that triggers itself.`}
      </p>
      <Button size="small" icon="webhook" onClick={() => setEdited(webhookId, { push: true })}>
        {words.editWebhook}
      </Button>
    </section>
  )
}

/** Deliveries whose receivers or jobs certainly caused the next one, oldest first. */
function Chain({ chain }: Pick<DeliveryStory, 'chain'>) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="eyebrow">{words.chain}</h3>
      <ol aria-label={words.chain} className="flex list-decimal flex-col gap-1 pl-5 text-sm">
        {chain.map(({ id, scope, action }) => (
          <li key={id}>
            <Link href={`/deliveries/${id}`} className={linkClass}>
              {scope} {action}
            </Link>{' '}
            <span className="font-mono text-xs text-muted">{id}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Cause({ story, repo }: { story: DeliveryStory; repo: string }) {
  const { explanation, actor, commitId, discussion } = story
  return (
    <section className="flex flex-col gap-2">
      <h3 className="eyebrow">Cause</h3>
      <p className="text-sm">{explanation}</p>
      <Facts
        items={[
          ['User', actor?.username],
          [
            'Commit',
            commitId && (
              <Link key="c" href={`${repo}?view=commits&commit=${commitId}`} className={linkClass}>
                <span className="font-mono text-xs">{commitId.slice(0, 7)}</span>
              </Link>
            ),
          ],
          [
            'Discussion',
            discussion === undefined ? undefined : (
              <Link
                key="d"
                href={`${repo}?view=discussions&num=${discussion}`}
                className={linkClass}
              >
                #{discussion}
              </Link>
            ),
          ],
        ]}
      />
    </section>
  )
}

interface EffectsProps {
  effects: NonNullable<DeliveryStory['effects']>
  repo: string
}

function Effects({ effects, repo }: EffectsProps) {
  const { from, to, basis, requests, commits, deliveries } = effects
  return (
    <section className="flex flex-col gap-3">
      <h3 className="eyebrow">Possible effects</h3>
      <p className="rounded-lg bg-sunken p-3 text-xs text-muted">
        {basis}
        <span className="block pt-1">
          From {formatInstant(from)} to {formatInstant(to)}.
        </span>
      </p>
      <EffectList title="Requests of the webhook's owner" none="No requests of its owner.">
        {requests.map(({ id, method, path, status, at }) => (
          <Effect key={id} href={`/requests/${id}`} at={at}>
            {method} {path} → {status || 'connection dropped'}
          </Effect>
        ))}
      </EffectList>
      <EffectList title="Commits in the repo" none="No other commits.">
        {commits.map(({ id, title, author, date }) => (
          <Effect key={id} href={`${repo}?view=commits&commit=${id}`} at={date}>
            {title} by {author}
          </Effect>
        ))}
      </EffectList>
      <EffectList title="Other deliveries to this webhook" none="No other deliveries.">
        {deliveries.map(({ id, scope, action, createdAt }) => (
          <Effect key={id} href={`/deliveries/${id}`} at={createdAt}>
            {scope} · {action}
          </Effect>
        ))}
      </EffectList>
    </section>
  )
}

interface EffectListProps {
  title: string
  none: string
  children: ReactNode[]
}

function EffectList({ title, none, children }: EffectListProps) {
  return (
    <div>
      <h4 className="pb-1 text-xs font-medium">{title}</h4>
      {children.length === 0 ? (
        <p className="text-xs text-muted">{none}</p>
      ) : (
        <ul aria-label={title} className="flex flex-col gap-1">
          {children}
        </ul>
      )}
    </div>
  )
}

function Effect({ href, at, children }: { href: string; at: string; children: ReactNode }) {
  return (
    <li className="flex items-baseline gap-3 text-xs">
      <Link href={href} className={`min-w-0 flex-1 font-mono break-all ${linkClass}`}>
        {children}
      </Link>
      <span className="text-muted">
        <Ago time={at} />
      </span>
    </li>
  )
}
