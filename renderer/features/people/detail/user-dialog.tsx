import { useState } from 'react'
import type { UserItem } from '../../../../server/contract/control-accounts.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { changedParts } from '../../../lib/changed-parts.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { useCreateUser, useDeleteUser, useUpdateUser } from '../model/requests.ts'
import { useBelongings } from '../model/belongings.ts'

interface UserDialogProps {
  /** Edited; without it a new one is made. */
  user: UserItem | undefined
  onClose: () => void
}

type UserForm = ReturnType<typeof formOf>

function formOf(user: UserItem | undefined) {
  return {
    username: user?.username ?? '',
    fullname: user?.fullname ?? '',
    email: user?.email ?? '',
    emailVerified: user?.emailVerified ?? true,
    isPro: user?.isPro ?? false,
    canPay: user?.canPay ?? false,
  }
}

function requestOf({ fullname, email, ...rest }: UserForm) {
  return omitUndefined({ ...rest, fullname: fullname || undefined, email: email || undefined })
}

export function UserDialog({ user, onClose }: UserDialogProps) {
  const [opened] = useState(() => formOf(user))
  const [form, setForm] = useState(opened)
  const create = useCreateUser()
  const update = useUpdateUser(user?.username ?? '')
  const { error, isPending } = user ? update : create
  const patch = (part: Partial<UserForm>) => setForm((current) => ({ ...current, ...part }))
  const issue = (path: string) => (error instanceof ApiError ? error.issue(path) : undefined)

  function submit(): void {
    const request = requestOf(form)
    const done = { onSuccess: onClose }
    if (user) update.mutate(changedParts(requestOf(opened), request), done)
    else create.mutate(request, done)
  }

  return (
    <Dialog open onOpenChange={onClose} title={user ? `Edit ${user.username}` : 'Add a user'}>
      <form
        className="flex min-h-0 flex-1 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <DialogBody>
          <div className="flex flex-col gap-3">
            <Field label="Username" error={issue('username')}>
              {(control) => (
                <TextInput
                  {...control}
                  required
                  value={form.username}
                  onChange={(event) => patch({ username: event.target.value })}
                />
              )}
            </Field>
            <Field label="Full name" error={issue('fullname')}>
              {(control) => (
                <TextInput
                  {...control}
                  // The sandbox has one for who is new, and an address.
                  required={user !== undefined}
                  value={form.fullname}
                  onChange={(event) => patch({ fullname: event.target.value })}
                />
              )}
            </Field>
            <Field label="E-mail" error={issue('email')}>
              {(control) => (
                <TextInput
                  {...control}
                  type="email"
                  required={user !== undefined}
                  value={form.email}
                  onChange={(event) => patch({ email: event.target.value })}
                />
              )}
            </Field>
            <Checkbox
              checked={form.emailVerified}
              onChange={(emailVerified) => patch({ emailVerified })}
            >
              E-mail verified
            </Checkbox>
            <Checkbox checked={form.isPro} onChange={(isPro) => patch({ isPro })}>
              PRO
            </Checkbox>
            <Checkbox checked={form.canPay} onChange={(canPay) => patch({ canPay })}>
              Has a payment method
            </Checkbox>
            <FormError error={error} beside={['username', 'fullname', 'email']} />
          </div>
        </DialogBody>
        <DialogFooter>
          {user && <RemoveUser username={user.username} onRemoved={onClose} />}
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" busy={isPending}>
            {user ? 'Save' : 'Add'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

function RemoveUser({ username, onRemoved }: { username: string; onRemoved: () => void }) {
  const removing = useQuestion(useDeleteUser(), onRemoved)
  const belongings = useBelongings(username)
  return (
    <>
      <Button look="danger" icon="trash" className="mr-auto" onClick={() => removing.ask(username)}>
        Remove
      </Button>
      <Question of={removing} title={(name) => `Remove ${name}?`} action="Remove the user">
        {() =>
          `Lost with it are ${belongings}collections, memberships and what it allowed apps. Its tokens and sessions end at once.`
        }
      </Question>
    </>
  )
}
