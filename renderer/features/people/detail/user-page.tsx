import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { UserItem } from '../../../../server/contract/control-accounts.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useWebhookName } from '../../../api/webhooks.ts'
import { lookOf } from '../../../shared/flow-looks.ts'
import { QueryView } from '../../../shared/query-view.tsx'
import { kindTitles } from '../../../shared/words.ts'
import { Badge, Chip, toneText } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page, Panel } from '../../../ui/page.tsx'
import { Unknown } from '../../../ui/states.tsx'
import { Countdown, Moment } from '../../../ui/time.tsx'
import { useUserThings } from '../model/user-things.ts'
import { words } from '../words.ts'
import { UserDialog } from './user-dialog.tsx'
import { visibleControls } from '../../../lib/visible-controls.ts'

/** A user with everything that belongs to it. */
export function UserPage({ username }: { username: string }) {
  const users = useUsers()
  const [isEdited, setEdited] = useState(false)
  const user = users.data?.items.find((one) => one.username === username)
  return (
    <Page
      title={username}
      lead={user && <Lead user={user} />}
      actions={
        <>
          {user && (
            <Button icon="edit" onClick={() => setEdited(true)}>
              {words.edit}
            </Button>
          )}
          <Link href="/people" className={buttonClass()}>
            <Icon name="people" /> All users
          </Link>
        </>
      }
    >
      <QueryView query={users} what="the user">
        {() =>
          user === undefined ? (
            <Unknown title="User not found">{`No user is named ${username}.`}</Unknown>
          ) : (
            <Things user={user} />
          )
        }
      </QueryView>
      {isEdited && user && <UserDialog user={user} onClose={() => setEdited(false)} />}
    </Page>
  )
}

function Lead({ user: { fullname, email, emailVerified, isPro, id } }: { user: UserItem }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="break-words">{visibleControls(fullname)}</span>
      <span className="break-all">{email}</span>
      {!emailVerified && <Badge tone="warn">not verified</Badge>}
      {isPro && <Badge tone="accent">{words.pro}</Badge>}
      <CopyableId text={id} what="Subject" />
    </span>
  )
}

function Things({ user: { username, organizations } }: { user: UserItem }) {
  const { q, tokens, flows, requests, repos, consents, webhooks } = useUserThings(username)
  const webhookName = useWebhookName()
  const query = encodeURIComponent(q)
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <Kind title="Tokens" href={`/tokens?q=${encodeURIComponent(username)}`}>
        {tokens.map(({ id, app, name, expiresAt, state }) => (
          <Line key={id} href={`/tokens/${id}`} end={<Left state={state} expiresAt={expiresAt} />}>
            {visibleControls(app?.name ?? name ?? 'User access token')}
          </Line>
        ))}
      </Kind>
      <Kind title="Sign-ins" href={`/sign-ins?q=${query}`}>
        {flows.map((flow) => {
          const { icon, tone, word } = lookOf(flow)
          return (
            <Line
              key={flow.id}
              href={`/sign-ins/${encodeURIComponent(flow.id)}`}
              end={<Moment time={flow.lastAt} />}
            >
              <Icon name={icon} className={`mr-2 inline size-4 ${toneText[tone]}`} />
              {visibleControls(flow.app?.name ?? kindTitles[flow.kind])}{' '}
              <span className="text-muted">{word}</span>
            </Line>
          )
        })}
      </Kind>
      <Kind title="Requests" href={`/requests?q=${query}`}>
        {requests.map(({ id, method, path, status, at }) => (
          <Line
            key={id}
            href={`/requests/${encodeURIComponent(id)}?q=${query}`}
            end={<Moment time={at} />}
          >
            <span className="font-mono text-xs">
              {status} {method} {path}
            </span>
          </Line>
        ))}
      </Kind>
      <Kind title="Repos" href={`/repos?q=${encodeURIComponent(`${username}/`)}`}>
        {repos.map(({ id, type, name }) => (
          <Line key={id} href={`/repos/${type}/${name}`} end={type}>
            {name}
          </Line>
        ))}
      </Kind>
      <Kind title="Organizations" href="/people?view=organizations">
        {organizations.map(({ name, role }) => (
          <Line key={name} href="/people?view=organizations" end={<Chip>{role}</Chip>}>
            {name}
          </Line>
        ))}
      </Kind>
      <Kind title="Webhooks" href="/webhooks">
        {webhooks.map(({ id, status }) => (
          <Line key={id} href={`/webhooks/${id}/activity`} end={status}>
            {webhookName(id)}
          </Line>
        ))}
      </Kind>
      <Kind title="Consents" href="/consents">
        {consents.map(({ app, scopes, grantedAt }) => (
          <Line
            key={`${app.clientId} ${grantedAt}`}
            href={`/apps/${encodeURIComponent(app.clientId)}`}
            end={<Moment time={grantedAt} />}
          >
            {visibleControls(app.name)} <span className="text-muted">{scopes.join(' ')}</span>
          </Line>
        ))}
      </Kind>
    </div>
  )
}

interface KindProps {
  title: string
  /** Page with all of them. */
  href: string
  children: readonly ReactNode[]
}

/** The things of one kind, or that there are none. */
function Kind({ title, href, children }: KindProps) {
  return (
    <Panel
      title={title}
      actions={
        <Link href={href} className="text-xs text-muted underline underline-offset-2">
          All<span className="sr-only"> {title.toLowerCase()}</span>
        </Link>
      }
      flush
    >
      {children.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-muted">None.</p>
      ) : (
        <ul aria-label={title} className="flex flex-col pb-2">
          {children}
        </ul>
      )}
    </Panel>
  )
}

function Line({ href, end, children }: { href: string; end: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Link
        href={href}
        className="flex h-7 items-center gap-2 px-4 text-sm hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 flex-1 truncate">{children}</span>
        <span className="shrink-0 text-xs text-faint">{end}</span>
      </Link>
    </li>
  )
}

/** Remaining time of a token, or why it is not valid. */
function Left({ state, expiresAt }: { state: string; expiresAt: string | undefined }) {
  if (state !== 'active') return state
  return expiresAt === undefined ? 'never expires' : <Countdown time={expiresAt} past="expired" />
}
