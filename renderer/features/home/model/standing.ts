import type { Overview } from '../../../../server/contract/control-health.ts'
import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'

/** Title of the panel: the worst that is true now. */
export function standingOf({
  deliveries,
  failingWebhooks,
  suspendedWebhooks,
}: Pick<Overview, 'deliveries' | 'failingWebhooks' | 'suspendedWebhooks'>): {
  title: string
  icon: IconName
  tone: Tone
} {
  const { total, succeeded, failing, failed, pending } = deliveries
  if (suspendedWebhooks > 0) return { title: 'Suspended', icon: 'warning', tone: 'bad' }
  if (failingWebhooks > 0) return { title: 'Failing', icon: 'warning', tone: 'bad' }
  if (failing > 0) return { title: 'Failing', icon: 'retry', tone: 'warn' }
  if (failed > 0) {
    const title = succeeded > 0 ? 'Works again' : 'Failed'
    return { title, icon: succeeded > 0 ? 'check' : 'cross', tone: 'warn' }
  }
  if (pending > 0) return { title: 'On the way', icon: 'sending', tone: 'accent' }
  if (succeeded === 0) {
    return {
      title: total === 0 ? 'Nothing sent yet' : 'Nothing delivered yet',
      icon: 'minus',
      tone: 'neutral',
    }
  }
  return { title: 'All delivered', icon: 'check', tone: 'ok' }
}
