/**
 * Attributes that frameworks set as properties. React, Preact and Vue set a property if the element has one of this name, which `refresh`, the method,
 * would be; and Vue writes `false` into an attribute, which would then be present.
 */
const names = ['list', 'search', 'permalink', 'menu', 'display', 'refresh'] as const;

/** Makes these properties of a prototype set their attributes. Methods stay what is read. */
export function acceptAttributesAsProperties(prototype: HTMLElement): void {
  for (const name of names) {
    const method: unknown = Reflect.get(prototype, name);
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: HTMLElement): unknown {
        return method ?? this.hasAttribute(name);
      },
      set(this: HTMLElement, value: unknown): void {
        // Preact sets '' for a value that is gone.
        if (value === undefined || value === null || value === false || value === '') this.removeAttribute(name);
        else this.setAttribute(name, value === true ? '' : String(value));
      },
    });
  }
}
