import { useState } from 'react'
import { Link } from 'wouter'
import type { LinkItem } from '../../../../server/contract/control-sandbox.ts'
import { useCreateLink, useEndLink, useLinks, useWakeLink } from '../../../api/links.ts'
import { useWebhooks } from '../../../api/webhooks.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton, buttonClass } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copy.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../shared/query-view.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Countdown } from '../../../ui/time.tsx'
import { notify } from '../../../ui/toast.tsx'
import { plural } from '../../../lib/format.ts'
import { useSandboxNow } from '../../../lib/sandbox-clock.ts'
import { words } from '../words.ts'

/** Forwarding URLs that expire, as those of tunnels and hosted receivers do. */
export function LinksPanel() {
  const links = useLinks()
  const create = useCreateLink()
  const [target, setTarget] = useState('')
  const [hosted, setHosted] = useState(false)
  return (
    <Panel title="Temporary links" lead={words.linksLead}>
      <form
        className="flex flex-wrap items-center gap-x-3 gap-y-2"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(
            { target, hosted },
            {
              onSuccess: () => {
                setTarget('')
                notify('Link created')
              },
            },
          )
        }}
      >
        <TextInput
          aria-label="Receiver URL"
          placeholder="http://localhost:3000/webhooks/events"
          required
          className="min-w-56 flex-1"
          value={target}
          onChange={(event) => setTarget(event.target.value)}
        />
        <Switch checked={hosted} onChange={setHosted}>
          Hosted receiver
        </Switch>
        <Button type="submit" icon="plus" busy={create.isPending}>
          Create link
        </Button>
      </form>
      {create.error && (
        <div className="pt-2">
          <FormError error={create.error} />
        </div>
      )}
      <QueryView query={links} what="links">
        {({ items }) =>
          items.length > 0 && (
            <ul aria-label="Links" className="flex flex-col divide-y divide-line pt-1">
              {items.map((link) => (
                <LinkRow key={link.id} link={link} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  )
}

function LinkRow({ link }: { link: LinkItem }) {
  const wake = useWakeLink()
  const end = useEndLink()
  const ending = useQuestion(end)
  const over = Date.parse(link.expiresAt) <= useSandboxNow()
  // An expired tunnel cannot be resumed, so deleting it loses nothing.
  const spent = over && !link.hosted
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <div className="min-w-48 flex-1">
        <CopyableId text={link.url} isWhole what="Link" />
        <p className="font-mono text-xs break-all text-faint">
          {link.target === undefined ? 'sample receiver' : `to ${link.target}`}
        </p>
        {link.problem && <p className="pt-1 text-xs text-warn">{link.problem}</p>}
      </div>
      <LinkState link={link} over={over} />
      <div className="flex gap-1.5">
        {(link.problem !== undefined || (over && link.hosted)) && (
          <Button size="small" icon="play" busy={wake.isPending} onClick={() => wake.mutate(link)}>
            {link.problem === undefined ? 'Wake' : 'Retry its port'}
          </Button>
        )}
        {!over && (
          <Link
            href={`/webhooks?new&url=${encodeURIComponent(link.url)}`}
            className={buttonClass('plain', 'small')}
          >
            Create webhook
          </Link>
        )}
        <IconButton
          icon="trash"
          size="small"
          label={`Delete the link to ${link.target ?? 'the sample receiver'}`}
          busy={end.isPending}
          onClick={() => (spent ? end.mutate(link) : ending.ask(link))}
        />
      </div>
      <Question of={ending} title={() => 'Delete this link?'} action="Delete link">
        {({ url }) => (
          <>
            <span className="font-mono break-all">{url}</span> stops working, and a new link gets a
            new URL. <Users link={link} />
          </>
        )}
      </Question>
    </li>
  )
}

/** Webhooks that use a link, whose deliveries fail once it is deleted. */
function Users({ link }: { link: LinkItem }) {
  const { origin } = new URL(link.url)
  const users = (useWebhooks().data?.items ?? []).filter(
    ({ url }) => url !== undefined && URL.canParse(url) && new URL(url).origin === origin,
  )
  if (users.length === 0) return null
  return `Used by ${plural(users.length, 'webhook')}, whose deliveries will fail.`
}

function LinkState({
  link: { hosted, expiresAt, problem },
  over,
}: {
  link: LinkItem
  over: boolean
}) {
  if (problem !== undefined) {
    return (
      <Badge tone="warn" icon="pause">
        paused
      </Badge>
    )
  }
  if (over) {
    return (
      <Badge tone="warn" icon={hosted ? 'pause' : 'clock'}>
        {hosted ? 'stopped, responds 503' : 'expired, responds 410'}
      </Badge>
    )
  }
  return (
    <Badge tone="ok" icon="check">
      {hosted ? 'stops in' : 'expires in'} <Countdown time={expiresAt} />
    </Badge>
  )
}
