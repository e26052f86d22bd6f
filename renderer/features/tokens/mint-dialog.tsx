import { useState } from 'react'
import type { MintedToken, MintTokenRequest } from '../../../server/contract/control-tokens.ts'
import { useUsers } from '../../api/accounts.ts'
import { useApps } from '../../api/apps.ts'
import { ApiError } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Segments } from '../../components/segments.tsx'
import { Select } from '../../components/select.tsx'
import { useMintToken } from './token-requests.ts'

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

function MintForm({ close }: { close: () => void }) {
  const users = useUsers().data?.items ?? []
  const apps = useApps().data?.items ?? []
  const mint = useMintToken()
  const [kind, setKind] = useState<Kind>('app')
  const [user, setUser] = useState('')
  const [clientId, setClientId] = useState('')
  const [scope, setScope] = useState('')
  const [organizations, setOrganizations] = useState('')
  const [expiresIn, setExpiresIn] = useState('')
  const [name, setName] = useState('')
  const username = user || users[0]?.username || ''
  const app = apps.find((item) => item.clientId === clientId) ?? apps.find((item) => item.public)
  const issue = (path: string) =>
    mint.error instanceof ApiError ? mint.error.issue(path) : undefined

  if (mint.data) return <Minted token={mint.data} close={close} />
  const request: MintTokenRequest =
    kind === 'app'
      ? {
          user: username,
          ...(app && { clientId: app.clientId }),
          ...(scope.trim() && { scope: scope.trim() }),
          ...(organizations.trim() && { organizations: organizations.trim().split(/[\s,]+/) }),
          ...(expiresIn && { expiresIn: Number(expiresIn) }),
        }
      : { user: username, role: kind, ...(name && { name }) }
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        mint.mutate(request)
      }}
    >
      <DialogBody>
        <div className="flex flex-col gap-3">
          <Segments label="Kind of token" value={kind} onChange={setKind} options={kinds} />
          <Field label="User" error={issue('user')}>
            {(control) => (
              <Select
                {...control}
                value={username}
                onChange={setUser}
                options={users.map((item) => ({ value: item.username, label: item.username }))}
              />
            )}
          </Field>
          {kind === 'app' ? (
            <>
              <Field label="App" error={issue('clientId')}>
                {(control) => (
                  <Select
                    {...control}
                    value={app?.clientId ?? ''}
                    onChange={setClientId}
                    options={apps.map((item) => ({ value: item.clientId, label: item.name }))}
                  />
                )}
              </Field>
              <Field
                label="Scopes"
                hint={`Empty: those of the app${app ? ` (${app.scopes.join(' ')})` : ''}`}
                error={issue('scope')}
              >
                {(control) => (
                  <TextInput
                    {...control}
                    value={scope}
                    placeholder={app?.scopes.join(' ')}
                    onChange={(event) => setScope(event.target.value)}
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
                      value={organizations}
                      placeholder="acme"
                      onChange={(event) => setOrganizations(event.target.value)}
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
                      value={expiresIn}
                      onChange={(event) => setExpiresIn(event.target.value)}
                    />
                  )}
                </Field>
              </div>
            </>
          ) : (
            <Field label="Name" error={issue('name')}>
              {(control) => (
                <TextInput
                  {...control}
                  value={name}
                  placeholder="ci"
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
          )}
          <FormError
            error={mint.error}
            beside={
              kind === 'app'
                ? ['user', 'clientId', 'scope', 'organizations', 'expiresIn']
                : ['user', 'name']
            }
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
        <Button look="primary" type="submit" busy={mint.isPending} disabled={!username}>
          Mint it
        </Button>
      </DialogFooter>
    </form>
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
