import { useState } from 'react'
import type { OrganizationItem } from '../../../../server/contract/control-accounts.ts'
import { useUsers } from '../../../api/accounts.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Select } from '../../../ui/select.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { changedParts } from '../../../lib/changed-parts.ts'
import { plural } from '../../../lib/format.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import {
  useCreateOrganization,
  useDeleteOrganization,
  useUpdateOrganization,
} from '../model/requests.ts'
import { useBelongings } from '../model/belongings.ts'
import { plans, type Role } from '../../../../server/contract/words/accounts.ts'

/** Role by username. */
type Members = ReadonlyMap<string, Role>
type Restriction = OrganizationItem['securityRestrictions'][number]

const planOptions = plans.map((value) => ({
  value,
  label: value,
}))

const roles: readonly { value: Role | 'none'; label: string }[] = [
  { value: 'none', label: 'not a member' },
  { value: 'no_access', label: 'no access' },
  { value: 'read', label: 'read' },
  { value: 'contributor', label: 'contributor' },
  { value: 'write', label: 'write' },
  { value: 'admin', label: 'admin' },
]

const restrictions: readonly { type: Restriction['type']; label: string }[] = [
  { type: 'mfa', label: 'Two-factor authentication required' },
  { type: 'sso', label: 'Single sign-on required' },
  { type: 'ip', label: 'IP address not allowed' },
  { type: 'token-policy', label: 'Token against the policy' },
  { type: 'token-revoked', label: 'Token revoked by an administrator' },
]

interface OrganizationDialogProps {
  /** Edited; without it a new one is made. */
  organization: OrganizationItem | undefined
  onClose: () => void
}

/** An organization as it stands in the form. */
interface OrganizationForm {
  name: string
  fullname: string
  plan: OrganizationItem['plan']
  members: Members
  barred: readonly Restriction[]
}

function formOf(organization: OrganizationItem | undefined): OrganizationForm {
  return {
    name: organization?.name ?? '',
    fullname: organization?.fullname ?? '',
    plan: organization?.plan ?? 'team',
    members: new Map(organization?.members.map(({ user, role }) => [user.username, role])),
    barred: organization?.securityRestrictions ?? [],
  }
}

function requestOf({ name, fullname, plan, members, barred }: OrganizationForm) {
  return omitUndefined({
    name,
    plan,
    fullname: fullname || undefined,
    members: [...members].map(([user, role]) => ({ user, role })),
    securityRestrictions: [...barred],
  })
}

export function OrganizationDialog({ organization, onClose }: OrganizationDialogProps) {
  const [opened] = useState(() => formOf(organization))
  const [form, setForm] = useState(opened)
  const create = useCreateOrganization()
  const update = useUpdateOrganization(organization?.name ?? '')
  const { error, isPending } = organization ? update : create
  const patch = (part: Partial<OrganizationForm>) => setForm((current) => ({ ...current, ...part }))
  const issue = (path: string) => (error instanceof ApiError ? error.issue(path) : undefined)

  function submit(): void {
    const request = requestOf(form)
    const done = { onSuccess: onClose }
    if (organization) update.mutate(changedParts(requestOf(opened), request), done)
    else create.mutate(request, done)
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={organization ? `Edit ${organization.name}` : 'Add an organization'}
    >
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-3.5">
            <div className="grid gap-3 sm:grid-cols-2">
              <Field label="Name" error={issue('name')}>
                {(control) => (
                  <TextInput
                    {...control}
                    required
                    value={form.name}
                    onChange={(event) => patch({ name: event.target.value })}
                  />
                )}
              </Field>
              <Field label="Plan" hint="Token exchange needs enterprise or plus">
                {(control) => (
                  <Select
                    {...control}
                    value={form.plan}
                    onChange={(plan) => patch({ plan })}
                    options={planOptions}
                  />
                )}
              </Field>
            </div>
            <Field label="Full name">
              {(control) => (
                <TextInput
                  {...control}
                  // The sandbox has one for what is new.
                  required={organization !== undefined}
                  value={form.fullname}
                  onChange={(event) => patch({ fullname: event.target.value })}
                />
              )}
            </Field>
            <MembersField members={form.members} onChange={(members) => patch({ members })} />
            <RestrictionsField barred={form.barred} onChange={(barred) => patch({ barred })} />
            <FormError error={error} beside={['name']} />
          </div>
        </DialogBody>
        <DialogFooter>
          {organization && <RemoveOrganization organization={organization} onRemoved={onClose} />}
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={isPending}>
            {organization ? 'Save' : 'Add'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

interface MembersFieldProps {
  members: Members
  onChange: (members: Members) => void
}

function MembersField({ members, onChange }: MembersFieldProps) {
  const users = useUsers().data?.items ?? []
  function setRole(username: string, role: Role | 'none'): void {
    const next = new Map(members)
    if (role === 'none') next.delete(username)
    else next.set(username, role)
    onChange(next)
  }
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 text-xs font-medium">Members</legend>
      {users.map(({ username }) => (
        <div key={username} className="flex items-center justify-between gap-3">
          <span className="min-w-0">{username}</span>
          <Select
            label={`Role of ${username}`}
            className="w-36 shrink-0"
            value={members.get(username) ?? 'none'}
            onChange={(role) => setRole(username, role)}
            options={roles}
          />
        </div>
      ))}
    </fieldset>
  )
}

interface RestrictionsFieldProps {
  barred: readonly Restriction[]
  onChange: (barred: readonly Restriction[]) => void
}

function RestrictionsField({ barred, onChange }: RestrictionsFieldProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 text-xs font-medium">What bars its members from its resources</legend>
      {restrictions.map(({ type, label }) => {
        const present = barred.find((item) => item.type === type)
        return (
          <Checkbox
            key={type}
            checked={present !== undefined}
            onChange={(checked) =>
              onChange(checked ? [...barred, { type }] : barred.filter((item) => item !== present))
            }
          >
            {label}
            {present?.users && ` (${present.users.join(', ')})`}
          </Checkbox>
        )
      })}
    </fieldset>
  )
}

interface RemoveOrganizationProps {
  organization: OrganizationItem
  onRemoved: () => void
}

function RemoveOrganization({ organization, onRemoved }: RemoveOrganizationProps) {
  const { name, members } = organization
  const removing = useQuestion(useDeleteOrganization(), onRemoved)
  const belongings = useBelongings(name)
  return (
    <>
      <Button look="danger" icon="trash" className="mr-auto" onClick={() => removing.ask(name)}>
        Remove
      </Button>
      <Question of={removing} title={() => `Remove ${name}?`} action="Remove the organization">
        {() =>
          `Lost with it are ${belongings}collections, its audit log and ${plural(members.length, 'membership')}. The users stay.`
        }
      </Question>
    </>
  )
}
