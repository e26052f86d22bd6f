import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Link } from 'wouter'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatLength, formatSince } from '../model/flow-time.ts'
import { stepLooks } from '../../../shared/flow-looks.ts'
import type { NameOf } from '../model/describe-step.ts'
import { ExchangeChain } from './exchange-chain.tsx'
import { ParameterTable } from './parameter-table.tsx'
import { PkcePair } from './pkce-pair.tsx'
import { PollTable } from './poll-table.tsx'
import { RawMessage } from './raw-message.tsx'
import { RedirectCompare } from './redirect-compare.tsx'
import { ScopeVerdicts } from './scope-verdicts.tsx'
import { Section } from './section.tsx'
import { TokenCard } from './token-card.tsx'
import { words } from '../words.ts'

interface StepDetailsProps {
  detail: FlowStepDetail
  nameOf: NameOf
  onClose: () => void
}

/** Details of a step: message, purpose of each part, and verdicts. */
export function StepDetails({ detail, nameOf, onClose }: StepDetailsProps) {
  const { step, organizations = [] } = detail
  return (
    <>
      <StepHeading detail={detail} nameOf={nameOf} onClose={onClose} />
      {step.polls && (
        <Section title={words.polls}>
          <PollTable polls={step.polls} />
        </Section>
      )}
      {detail.exchange && (
        <Section title={words.exchangeChain}>
          <ExchangeChain chain={detail.exchange} />
        </Section>
      )}
      {detail.tokens.length > 0 && (
        <Section title={words.tokens}>
          {detail.tokens.map((token) => (
            <TokenCard key={token.name} token={token} />
          ))}
        </Section>
      )}
      {detail.pkce && (
        <Section title={words.pkce}>
          <PkcePair pkce={detail.pkce} />
        </Section>
      )}
      {detail.redirectUri && (
        <Section title={words.redirectUri}>
          <RedirectCompare redirectUri={detail.redirectUri} />
        </Section>
      )}
      {detail.scopes && (
        <Section title={words.scopes}>
          <ScopeVerdicts scopes={detail.scopes} />
        </Section>
      )}
      {organizations.length > 0 && (
        <Section title={words.organizations}>
          <p className="flex flex-wrap gap-1">
            {organizations.map(({ id, name }) => (
              <Chip key={id}>{name}</Chip>
            ))}
          </p>
        </Section>
      )}
      {detail.parameters.length > 0 && (
        <Section title={words.parameters}>
          <ParameterTable parameters={detail.parameters} />
        </Section>
      )}
      {detail.request && (
        <Section title={words.request}>
          <RawMessage title={words.request} message={detail.request} />
        </Section>
      )}
      {detail.answer && (
        <Section title={words.response}>
          <RawMessage title={words.response} message={detail.answer} />
        </Section>
      )}
    </>
  )
}

function StepHeading({ detail: { step, copies }, nameOf, onClose }: StepDetailsProps) {
  const look = stepLooks[step.outcome]
  const facts = [
    step.from === step.to ? nameOf(step.from) : `${nameOf(step.from)} → ${nameOf(step.to)}`,
    formatSince(step.sinceMs),
    step.tookMs !== undefined && formatLength(step.tookMs),
    step.inferred && words.inferred,
  ]
  return (
    <header className="sticky top-0 z-10 flex flex-col gap-1.5 border-b border-line bg-surface px-4 py-3">
      <div className="flex items-start gap-2">
        <h3 className="min-w-0 flex-1 text-base font-semibold">{step.name}</h3>
        <Badge tone={look.tone} icon={look.icon}>
          {[step.status === 0 ? 'cut' : step.status, step.error ?? look.word]
            .filter(Boolean)
            .join(' ')}
        </Badge>
        <IconButton icon="cross" label={words.closeDetails} size="small" onClick={onClose} />
      </div>
      <p className="text-xs text-muted">{facts.filter(Boolean).join(' · ')}</p>
      {step.explanation && (
        <p
          className={classNames(
            'text-sm',
            look.tone === 'bad' && 'rounded-md bg-bad-soft px-2.5 py-1.5',
            look.tone === 'warn' && 'rounded-md bg-warn-soft px-2.5 py-1.5',
          )}
        >
          {step.explanation}
        </p>
      )}
      <div className="flex flex-wrap gap-1.5 empty:hidden">
        {copies && <CopyMenu copies={copies} />}
        {step.requestId && (
          <Link href={`/requests/${step.requestId}`} className={buttonClass('plain', 'small')}>
            <Icon name="request" className="size-3.5" /> {words.viewRequest}
          </Link>
        )}
      </div>
    </header>
  )
}

function CopyMenu({ copies }: { copies: NonNullable<FlowStepDetail['copies']> }) {
  return (
    <Menu
      trigger={
        <Button size="small" icon="copy">
          {words.copyAs}
        </Button>
      }
      items={[
        { label: 'curl', onSelect: () => void copyText(copies.curl, 'curl command') },
        { label: 'HTTPie', onSelect: () => void copyText(copies.httpie, 'HTTPie command') },
        { label: 'JSON', onSelect: () => void copyText(copies.json, 'JSON') },
      ]}
    />
  )
}
