import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { FormError } from '../../../shared/form-error.tsx'
import { useComment, type RepoPlace } from '../model/content-requests.ts'

interface CommentFormProps {
  place: RepoPlace
  num: number
  actor: string
}

export function CommentForm({ place, num, actor }: CommentFormProps) {
  const [content, setContent] = useState('')
  const comment = useComment(place, num)
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        comment.mutate({ user: actor, content }, { onSuccess: () => setContent('') })
      }}
    >
      <TextAreaField
        label={`Comment as ${actor}`}
        required
        rows={3}
        value={content}
        onChange={setContent}
      />
      <FormError error={comment.error} />
      <Button type="submit" className="self-start" busy={comment.isPending} disabled={!content}>
        Comment
      </Button>
    </form>
  )
}
