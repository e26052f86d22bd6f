import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { FlowStepDetail } from '../../../../server/contract/control-flows.ts'
import { Badge, Chip } from '../../../ui/badge.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { formatInstant } from '../../../lib/format.ts'
import { CodePane, type CodeExample } from '../../../shared/code-pane.tsx'
import { DetailPanel } from '../../../shared/detail-panel.tsx'
import { useDetailPane } from '../../../shared/detail-panes.ts'
import { headersForHub, repeatText } from '../../../shared/repeat-request.ts'
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
  const { step, request, answer } = detail
  const [pane = step.polls ? 'timeline' : 'summary', setPane] = useDetailPane()
  return (
    <DetailPanel
      label="Parts of the step"
      heading={<StepHeading detail={detail} nameOf={nameOf} />}
      pane={pane}
      onPane={setPane}
      onClose={onClose}
      contents={{
        summary: { renderContent: () => <Summary detail={detail} /> },
        request: {
          renderContent: () =>
            request ? (
              <Padded>
                <RawMessage title={words.request} message={request} />
              </Padded>
            ) : (
              <None>{words.noRequest}</None>
            ),
        },
        response: {
          renderContent: () =>
            answer ? (
              <Padded>
                <RawMessage title={words.response} message={answer} />
              </Padded>
            ) : (
              <None>This step has no response that the sandbox saw.</None>
            ),
        },
        timeline: {
          ...(step.polls && { count: step.polls.count }),
          renderContent: () => <Timeline detail={detail} />,
        },
        related: { renderContent: () => <Related detail={detail} /> },
        code: {
          renderContent: () => (
            <CodePane
              label="Code that repeats the request"
              examples={examplesOf(detail)}
              note={
                detail.copies
                  ? 'Secrets are masked until you reveal them in the summary.'
                  : words.noRequest
              }
            />
          ),
        },
      }}
    />
  )
}

function Summary({ detail }: { detail: FlowStepDetail }) {
  const { organizations = [] } = detail
  return (
    <>
      {detail.exchange && (
        <Section title="From subject to token">
          <ExchangeChain chain={detail.exchange} />
        </Section>
      )}
      {detail.tokens.length > 0 && (
        <Section title="Tokens">
          {detail.tokens.map((token) => (
            <TokenCard key={token.name} token={token} />
          ))}
        </Section>
      )}
      {detail.pkce && (
        <Section title="PKCE">
          <PkcePair pkce={detail.pkce} />
        </Section>
      )}
      {detail.redirectUri && (
        <Section title="Redirect URI">
          <RedirectCompare redirectUri={detail.redirectUri} />
        </Section>
      )}
      {detail.scopes && (
        <Section title={words.scopes}>
          <ScopeVerdicts scopes={detail.scopes} />
        </Section>
      )}
      {organizations.length > 0 && (
        <Section title="Organizations">
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
    </>
  )
}

function Timeline({ detail: { step } }: { detail: FlowStepDetail }) {
  return (
    <>
      <Padded>
        <Facts
          items={[
            ['Time', formatInstant(step.at)],
            [words.sinceStart, formatSince(step.sinceMs)],
            [words.took, step.tookMs !== undefined && formatLength(step.tookMs)],
            [words.changedByFault, step.changes?.join('; ')],
          ]}
        />
      </Padded>
      {step.polls && (
        <Section title="Polls">
          <PollTable polls={step.polls} />
        </Section>
      )}
    </>
  )
}

function Related({ detail: { step, tokens } }: { detail: FlowStepDetail }) {
  const known = tokens.filter(({ tokenId }) => tokenId !== undefined)
  if (step.requestId === undefined && known.length === 0)
    return <None>No request and no token belongs to this step.</None>
  return (
    <Padded>
      <Facts
        items={[
          [
            words.request,
            step.requestId && (
              <Way key="r" href={`/requests/${encodeURIComponent(step.requestId)}`}>
                View request
              </Way>
            ),
          ],
          ...known.map(
            ({ name, tokenId = '' }) =>
              [
                name,
                <Way key={name} href={`/tokens/${encodeURIComponent(tokenId)}`}>
                  {words.historyAndPermissions}
                </Way>,
              ] as const,
          ),
        ]}
      />
    </Padded>
  )
}

function examplesOf({ copies, request }: FlowStepDetail): CodeExample[] {
  if (copies === undefined || request === undefined) return []
  const [method = '', target = ''] = request.line.split(' ')
  const repeated = {
    method,
    url: new URL(target, window.location.origin).href,
    headers: headersForHub(request.headers),
    body: request.body,
  }
  return [
    { label: 'curl', render: () => copies.curl },
    { label: 'fetch', render: () => repeatText('fetch', repeated) },
    { label: 'HTTPie', render: () => copies.httpie },
    { label: 'JSON', render: () => copies.json },
  ]
}

function StepHeading({ detail: { step }, nameOf }: Omit<StepDetailsProps, 'onClose'>) {
  const look = stepLooks[step.outcome]
  const facts = [
    step.from === step.to ? nameOf(step.from) : `${nameOf(step.from)} → ${nameOf(step.to)}`,
    formatSince(step.sinceMs),
    step.tookMs !== undefined && formatLength(step.tookMs),
    step.inferred && 'inferred: not seen by the sandbox',
  ]
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-2">
        <h3 className="min-w-0 flex-1 text-base font-semibold">{step.name}</h3>
        <Badge tone={look.tone} icon={look.icon}>
          {[step.status === 0 ? 'cut' : step.status, step.error ?? look.word]
            .filter(Boolean)
            .join(' ')}
        </Badge>
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
    </div>
  )
}

function Padded({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-2 p-4">{children}</div>
}

function None({ children }: { children: string }) {
  return <p className="p-4 text-sm text-muted">{children}</p>
}

function Way({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="text-accent hover:underline">
      {children}
    </Link>
  )
}
