/** Messages about problems, which are read out when they appear. */

/** Why something failed; '' for nothing. */
export function Problem({ text }: { readonly text: string }) {
  return text === '' ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** Says that the map cannot show a value, or that visitors do not see it; '' for nothing. */
export const Doubt = ({ text }: { readonly text: string }) => (
  <p class="warning-text" role="status">
    {text}
  </p>
);
