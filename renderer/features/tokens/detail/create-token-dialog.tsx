import { useState } from 'react'
import type { AppItem } from '../../../../server/contract/control-apps.ts'
import type { MintedToken, MintTokenRequest } from '../../../../server/contract/control-tokens.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useApps } from '../../../api/apps.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Select } from '../../../ui/select.tsx'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { useMintToken } from '../model/requests.ts'

interface MintDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

type Kind = 'app' | 'write' | 'read'

const kinds = [
  { value: 'app', label: 'For an app' },
  { value: 'write', label: 'User, write' },
  { value: 'read', label: 'User, read' },
] as const

export function MintDialog({ open, onOpenChange }: MintDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Mint a token"
      lead="For scripts and tests that want a token without signing in."
    >
      {open && <MintForm close={() => onOpenChange(false)} />}
    </Dialog>
  )
}

/** A token as it stands in the form. */
interface Draft {
  kind: Kind
  user: string
  clientId: string
  scope: string
  organizations: string
  expiresIn: string
  name: string
}

const emptyDraft: Draft = {
  kind: 'app',
  user: '',
  clientId: '',
  scope: '',
  organizations: '',
  expiresIn: '',
  name: '',
}

/** What the fields of each kind tell themselves, see FormError. */
const appPaths = ['user', 'clientId', 'scope', 'organizations', 'expiresIn']
const userPaths = ['user', 'name']

function requestOf(draft: Draft): MintTokenRequest {
  const { kind, user, name } = draft
  if (kind !== 'app') return omitUndefined({ user, role: kind, name: name || undefined })
  const organizations = draft.organizations.split(/[\s,]+/).filter(Boolean)
  return omitUndefined({
    user,
    clientId: draft.clientId || undefined,
    scope: draft.scope.trim() || undefined,
    organizations: organizations.length > 0 ? organizations : undefined,
    expiresIn: draft.expiresIn ? Number(draft.expiresIn) : undefined,
  })
}

function MintForm({ close }: { close: () => void }) {
  const users = useUsers().data?.items ?? []
  const apps = useApps().data?.items ?? []
  const mint = useMintToken()
  const [typed, setTyped] = useState(emptyDraft)
  const patch = (part: Partial<Draft>) => setTyped((current) => ({ ...current, ...part }))
  const app =
    apps.find(({ clientId }) => clientId === typed.clientId) ?? apps.find((item) => item.public)
  const draft = {
    ...typed,
    user: typed.user || users[0]?.username || '',
    clientId: app?.clientId ?? '',
  }
  const issue = (path: string) =>
    mint.error instanceof ApiError ? mint.error.issue(path) : undefined

  if (mint.data) return <Minted token={mint.data} close={close} />
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        mint.mutate(requestOf(draft))
      }}
    >
      <DialogBody>
        <div className="flex flex-col gap-3">
          <Segments
            label="Kind of token"
            value={draft.kind}
            onChange={(kind) => patch({ kind })}
            options={kinds}
          />
          <Field label="User" error={issue('user')}>
            {(control) => (
              <Select
                {...control}
                value={draft.user}
                onChange={(user) => patch({ user })}
                options={users.map(({ username }) => ({ value: username, label: username }))}
              />
            )}
          </Field>
          {draft.kind === 'app' ? (
            <AppTokenFields draft={draft} apps={apps} onChange={patch} issue={issue} />
          ) : (
            <Field label="Name" error={issue('name')}>
              {(control) => (
                <TextInput
                  {...control}
                  value={draft.name}
                  placeholder="ci"
                  onChange={(event) => patch({ name: event.target.value })}
                />
              )}
            </Field>
          )}
          <FormError error={mint.error} beside={draft.kind === 'app' ? appPaths : userPaths} />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
        <Button look="primary" type="submit" busy={mint.isPending} disabled={!draft.user}>
          Mint it
        </Button>
      </DialogFooter>
    </form>
  )
}

interface AppTokenFieldsProps {
  draft: Draft
  apps: readonly AppItem[]
  onChange: (part: Partial<Draft>) => void
  issue: (path: string) => string | undefined
}

function AppTokenFields({ draft, apps, onChange, issue }: AppTokenFieldsProps) {
  const scopes = apps.find(({ clientId }) => clientId === draft.clientId)?.scopes.join(' ')
  return (
    <>
      <Field label="App" error={issue('clientId')}>
        {(control) => (
          <Select
            {...control}
            value={draft.clientId}
            onChange={(clientId) => onChange({ clientId })}
            options={apps.map(({ clientId, name }) => ({ value: clientId, label: name }))}
          />
        )}
      </Field>
      <Field
        label="Scopes"
        hint={`Empty: those of the app${scopes === undefined ? '' : ` (${scopes})`}`}
        error={issue('scope')}
      >
        {(control) => (
          <TextInput
            {...control}
            value={draft.scope}
            placeholder={scopes}
            onChange={(event) => onChange({ scope: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="Organizations"
          hint="Names, as ticked at consent"
          error={issue('organizations')}
        >
          {(control) => (
            <TextInput
              {...control}
              value={draft.organizations}
              placeholder="acme"
              onChange={(event) => onChange({ organizations: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Life in seconds"
          hint="Empty: that of the app’s tokens"
          error={issue('expiresIn')}
        >
          {(control) => (
            <TextInput
              {...control}
              type="number"
              min={1}
              value={draft.expiresIn}
              onChange={(event) => onChange({ expiresIn: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  )
}

function Minted({ token, close }: { token: MintedToken; close: () => void }) {
  return (
    <>
      <DialogBody>
        <Code json label="Token response" text={JSON.stringify(token, null, 2)} />
      </DialogBody>
      <DialogFooter>
        <Button look="quiet" onClick={close}>
          Close
        </Button>
        <CopyButton size="medium" look="primary" text={token.access_token} what="token" />
      </DialogFooter>
    </>
  )
}
