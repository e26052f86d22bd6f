import type { AppItem, UpdateAppRequest } from '../../../../server/contract/control-apps.ts'
import { useOrganizations } from '../../../api/accounts.ts'
import { TextAreaField, TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { changedParts } from '../../../lib/changed-parts.ts'
import { durationPattern } from '../../../../server/contract/durations.ts'
import { words } from '../words.ts'

/** Form fields of an app. */
export interface AppForm {
  name: string
  redirectUris: string
  scopes: string
  organization: string
  exchange: boolean
  tokenDuration: string
}

export const emptyAppForm: AppForm = {
  name: '',
  redirectUris: 'http://localhost/callback',
  scopes: 'openid profile email',
  organization: '',
  exchange: false,
  tokenDuration: '',
}

export function appFormOf(app: AppItem): AppForm {
  return {
    name: app.name,
    redirectUris: app.redirectUris.join('\n'),
    scopes: app.scopes.join(' '),
    organization: app.organization ?? '',
    exchange: app.privileges.includes('token-exchange'),
    tokenDuration: app.tokenDuration ?? '',
  }
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

export function updateOf(form: AppForm) {
  return {
    name: form.name,
    redirectUris: wordsOf(form.redirectUris),
    scopes: wordsOf(form.scopes),
    organization: form.organization || null,
    privileges: form.exchange ? ['token-exchange'] : [],
    tokenDuration: form.tokenDuration || null,
  } satisfies UpdateAppRequest
}

/** Returns the changes to the app that the form was opened for. */
export function appChangeOf(form: AppForm, opened: AppItem): UpdateAppRequest {
  return changedParts(updateOf(appFormOf(opened)), updateOf(form))
}

/** Fields that show their own errors, see FormError. */
export const appFieldPaths = ['name', 'redirectUris', 'scopes', 'organization', 'tokenDuration']

interface AppFieldsProps {
  form: AppForm
  onChange: (part: Partial<AppForm>) => void
  issue: (path: string) => string | undefined
}

export function AppFields({ form, onChange, issue }: AppFieldsProps) {
  const organizations = useOrganizations().data?.items ?? []
  return (
    <>
      <TextField
        label="Name"
        error={issue('name')}
        required
        value={form.name}
        onChange={(name) => onChange({ name })}
      />
      <TextAreaField
        label="Redirect URIs"
        hint="One per line. Must match exactly; any port is accepted for localhost."
        error={issue('redirectUris')}
        rows={Math.min(24, Math.max(4, form.redirectUris.split('\n').length))}
        value={form.redirectUris}
        onChange={(redirectUris) => onChange({ redirectUris })}
      />
      <TextField
        label={words.scopes}
        hint="Scopes that it may request"
        error={issue('scopes')}
        className="font-mono text-xs!"
        value={form.scopes}
        onChange={(scopes) => onChange({ scopes })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Organization"
          hint="Required for token exchange"
          error={issue('organization')}
          value={form.organization}
          onChange={(organization) => onChange({ organization })}
          options={[
            { value: '', label: 'none' },
            ...organizations.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
        <TextField
          label="Token lifetime"
          hint="e.g. 8h; default if empty"
          error={issue('tokenDuration')}
          value={form.tokenDuration}
          placeholder="8h"
          pattern={durationPattern}
          onChange={(tokenDuration) => onChange({ tokenDuration })}
        />
      </div>
      <Checkbox checked={form.exchange} onChange={(exchange) => onChange({ exchange })}>
        May exchange tokens (RFC 8693)
      </Checkbox>
    </>
  )
}
