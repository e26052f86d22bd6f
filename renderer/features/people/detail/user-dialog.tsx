import type { UserItem } from '../../../../server/contract/control-accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useForm } from '../../../shared/use-form.ts'
import { Question, useQuestion } from '../../../ui/question.tsx'
import { Checkbox } from '../../../ui/switch.tsx'
import { changedParts } from '../../../lib/changed-parts.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'
import { useCreateUser, useDeleteUser, useUpdateUser } from '../model/requests.ts'
import { useBelongings } from '../model/belongings.ts'
import { words } from '../words.ts'

interface UserDialogProps {
  /** User to edit; absent to add one. */
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
  const create = useCreateUser()
  const update = useUpdateUser(user?.username ?? '')
  const { error, isPending } = user ? update : create
  const { opened, form, patch, field } = useForm(() => formOf(user), error)

  function submit(): void {
    const request = requestOf(form)
    const done = { onSuccess: onClose }
    if (user) update.mutate(changedParts(requestOf(opened), request), done)
    else create.mutate(request, done)
  }

  return (
    <FormDialog
      title={user ? words.editTitle(user.username) : words.addUser}
      action={user ? words.save : words.add}
      busy={isPending}
      onSubmit={submit}
      onClose={onClose}
      further={user && <RemoveUser username={user.username} onRemoved={onClose} />}
    >
      <TextField label="Username" required {...field('username')} />
      <TextField
        label={words.fullName}
        // Required in edits only: the sandbox generates it for a new user.
        required={user !== undefined}
        {...field('fullname')}
      />
      <TextField
        label={words.email}
        type="email"
        required={user !== undefined}
        {...field('email')}
      />
      <Checkbox checked={form.emailVerified} onChange={(emailVerified) => patch({ emailVerified })}>
        Email verified
      </Checkbox>
      <Checkbox checked={form.isPro} onChange={(isPro) => patch({ isPro })}>
        {words.pro}
      </Checkbox>
      <Checkbox checked={form.canPay} onChange={(canPay) => patch({ canPay })}>
        Has a payment method
      </Checkbox>
      <FormError error={error} beside={['username', 'fullname', 'email']} />
    </FormDialog>
  )
}

function RemoveUser({ username, onRemoved }: { username: string; onRemoved: () => void }) {
  const removing = useQuestion(useDeleteUser(), onRemoved)
  const belongings = useBelongings(username)
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => removing.ask(username)}>
        {words.remove}
      </Button>
      <Question of={removing} title={(name) => words.removeTitle(name)} action="Remove user">
        {() =>
          `This also deletes ${belongings}collections, memberships and app authorizations. Tokens and sessions stop working at once.`
        }
      </Question>
    </>
  )
}
