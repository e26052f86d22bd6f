import type { AppItem } from '../../../../server/contract/control-apps.ts'
import type { MintedToken, MintTokenRequest } from '../../../../server/contract/control-tokens.ts'
import { useUsers } from '../../../api/accounts.ts'
import { useApps } from '../../../api/apps.ts'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { DialogForm } from '../../../ui/form-dialog.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { useMintToken } from '../model/requests.ts'
import { words } from '../words.ts'

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
      title={words.createToken}
      lead="For scripts and tests that need a token without a sign-in."
    >
      {open && <MintForm close={() => onOpenChange(false)} />}
    </Dialog>
  )
}

/** Form fields of a token. */
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

/** Fields of each kind that show their own errors, see FormError. */
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
  const { form: typed, patch, field } = useForm(() => emptyDraft, mint.error)
  const app =
    apps.find(({ clientId }) => clientId === typed.clientId) ?? apps.find((item) => item.public)
  const draft = {
    ...typed,
    user: typed.user || users[0]?.username || '',
    clientId: app?.clientId ?? '',
  }

  if (mint.data) return <Minted token={mint.data} close={close} />
  return (
    <DialogForm
      action={words.createToken}
      busy={mint.isPending}
      disabled={!draft.user}
      onSubmit={() => mint.mutate(requestOf(draft))}
      onClose={close}
    >
      <Segments
        label="Kind of token"
        value={draft.kind}
        onChange={(kind) => patch({ kind })}
        options={kinds}
      />
      <SelectField
        label={words.user}
        {...field('user')}
        value={draft.user}
        options={users.map(({ username }) => ({ value: username, label: username }))}
      />
      {draft.kind === 'app' ? (
        <AppTokenFields clientId={draft.clientId} apps={apps} field={field} />
      ) : (
        <TextField label={words.name} placeholder="ci" {...field('name')} />
      )}
      <FormError error={mint.error} beside={draft.kind === 'app' ? appPaths : userPaths} />
    </DialogForm>
  )
}

interface AppTokenFieldsProps {
  clientId: string
  apps: readonly AppItem[]
  field: ReturnType<typeof useForm<Draft>>['field']
}

function AppTokenFields({ clientId, apps, field }: AppTokenFieldsProps) {
  const scopes = apps.find((app) => app.clientId === clientId)?.scopes.join(' ')
  return (
    <>
      <SelectField
        label={words.app}
        {...field('clientId')}
        value={clientId}
        options={apps.map((app) => ({ value: app.clientId, label: app.name }))}
      />
      <TextField
        label={words.scopes}
        hint={
          scopes === undefined
            ? 'Leave empty for all app scopes'
            : `Leave empty for all app scopes (${scopes})`
        }
        placeholder={scopes}
        {...field('scope')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={words.organizations}
          hint="Names of the granted organizations"
          placeholder="acme"
          {...field('organizations')}
        />
        <TextField
          label="Lifetime (seconds)"
          hint="Leave empty for the app's token lifetime"
          type="number"
          min={1}
          {...field('expiresIn')}
        />
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
