import { useState } from 'react'
import type { OrganizationItem } from '../../../server/contract/control-accounts.ts'
import { useUsers } from '../../api/accounts.ts'
import { ApiError } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Confirm, Dialog, DialogBody, DialogFooter } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Select } from '../../components/select.tsx'
import { Checkbox } from '../../components/switch.tsx'
import { plural } from '../../lib/format.ts'
import {
  useCreateOrganization,
  useDeleteOrganization,
  useUpdateOrganization,
} from './account-requests.ts'
import { useBelongings } from './belongings.ts'

type Role = OrganizationItem['members'][number]['role']
type Restriction = OrganizationItem['securityRestrictions'][number]

const plans = (['free', 'team', 'enterprise', 'plus', 'academia'] as const).map((value) => ({
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
  organization?: OrganizationItem
  onClose: () => void
}

export function OrganizationDialog({ organization, onClose }: OrganizationDialogProps) {
  const users = useUsers().data?.items ?? []
  const [name, setName] = useState(organization?.name ?? '')
  const [fullname, setFullname] = useState(organization?.fullname ?? '')
  const [plan, setPlan] = useState<OrganizationItem['plan']>(organization?.plan ?? 'team')
  const [members, setMembers] = useState<Readonly<Record<string, Role>>>(() =>
    Object.fromEntries(
      (organization?.members ?? []).map(({ user, role }) => [user.username, role]),
    ),
  )
  const [barred, setBarred] = useState<readonly Restriction[]>(
    organization?.securityRestrictions ?? [],
  )
  const create = useCreateOrganization()
  const update = useUpdateOrganization(organization?.name ?? '')
  const remove = useDeleteOrganization()
  const [removing, setRemoving] = useState(false)
  const belongings = useBelongings(organization?.name)
  const { error, isPending } = organization ? update : create
  const issue = (path: string) => (error instanceof ApiError ? error.issue(path) : undefined)

  function setRole(username: string, role: Role | 'none'): void {
    const { [username]: _before, ...others } = members
    setMembers(role === 'none' ? others : { ...others, [username]: role })
  }

  function submit(): void {
    const request = {
      name,
      plan,
      ...(fullname && { fullname }),
      members: Object.entries(members).map(([user, role]) => ({ user, role })),
      securityRestrictions: [...barred],
    }
    if (organization) update.mutate(request, { onSuccess: onClose })
    else create.mutate(request, { onSuccess: onClose })
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
                    value={name}
                    onChange={(event) => setName(event.target.value)}
                  />
                )}
              </Field>
              <Field label="Plan" hint="Token exchange needs enterprise or plus">
                {(control) => (
                  <Select {...control} value={plan} onChange={setPlan} options={plans} />
                )}
              </Field>
            </div>
            <Field label="Full name">
              {(control) => (
                <TextInput
                  {...control}
                  value={fullname}
                  onChange={(event) => setFullname(event.target.value)}
                />
              )}
            </Field>
            <fieldset className="flex flex-col gap-1.5">
              <legend className="pb-1 text-xs font-medium">Members</legend>
              {users.map(({ username }) => (
                <div key={username} className="flex items-center justify-between gap-3">
                  <span className="min-w-0">{username}</span>
                  <Select
                    label={`Role of ${username}`}
                    className="w-36 shrink-0"
                    value={
                      (Object.hasOwn(members, username) ? members[username] : undefined) ?? 'none'
                    }
                    onChange={(role) => setRole(username, role)}
                    options={roles}
                  />
                </div>
              ))}
            </fieldset>
            <fieldset className="flex flex-col gap-1.5">
              <legend className="pb-1 text-xs font-medium">
                What bars its members from its resources
              </legend>
              {restrictions.map(({ type, label }) => {
                const present = barred.find((item) => item.type === type)
                return (
                  <Checkbox
                    key={type}
                    checked={present !== undefined}
                    onChange={(checked) =>
                      setBarred(
                        checked ? [...barred, { type }] : barred.filter((item) => item !== present),
                      )
                    }
                  >
                    {label}
                    {present?.users && ` (${present.users.join(', ')})`}
                  </Checkbox>
                )
              })}
            </fieldset>
            <FormError error={error} beside={['name']} />
          </div>
        </DialogBody>
        <DialogFooter>
          {organization && (
            <Button
              look="danger"
              icon="trash"
              className="mr-auto"
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          )}
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={isPending}>
            {organization ? 'Save' : 'Add'}
          </Button>
        </DialogFooter>
      </form>
      {organization && (
        <Confirm
          open={removing}
          onOpenChange={setRemoving}
          title={`Remove ${organization.name}?`}
          action="Remove the organization"
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(organization.name, {
              onSuccess: onClose,
              onError: () => setRemoving(false),
            })
          }
        >
          Lost with it are {belongings}collections, its audit log and{' '}
          {plural(organization.members.length, 'membership')}. The users stay.
        </Confirm>
      )}
    </Dialog>
  )
}
