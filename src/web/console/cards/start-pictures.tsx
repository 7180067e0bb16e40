/** Drawn pictures of the ways to start, in the colours of the console. */
import type { ComponentChildren } from 'preact';

function Drawn({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg class="start-picture" viewBox="0 0 160 96" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

/** A floor with rooms, one of them coloured. */
const plan = (
  <Drawn>
    <rect class="paper" x="20" y="10" width="120" height="76" rx="4" />
    <path class="tint-a" d="M23 13h52v34H23z" />
    <path class="tint-b" d="M79 13h58v24H79z" />
    <path class="wall" d="M20 10h120v76h-50M74 86H20V10M77 10v22M77 44v6H48M36 50H20M77 39h24M113 39h27M100 86V64M100 39v13" />
    <path class="thin" d="M48 50a12 12 0 0 1-12 12M101 39a12 12 0 0 0 12 12" />
    <circle class="accent" cx="49" cy="30" r="8" />
    <path class="mark" d="M49 26v8M45 30h8" />
  </Drawn>
);

/** Rows of a table become places on a map. */
const places = (
  <Drawn>
    <rect class="paper" x="12" y="16" width="56" height="64" rx="4" />
    <path class="tint-a" d="M12 20q0-4 4-4h48q4 0 4 4v9H12z" />
    <path class="thin" d="M12 29h56M12 42h56M12 55h56M12 68h56M32 16v64" />
    <path class="wall" d="M75 48h13m-5-5 5 5-5 5" />
    <rect class="paper" x="94" y="16" width="56" height="64" rx="4" />
    <path class="tint-b" d="M94 60c14-10 22 4 34-4s14-8 22-6v26q0 4-4 4H98q-4 0-4-4z" />
    <path class="accent" d="M110 27a8 8 0 0 1 8 8c0 6-8 13-8 13s-8-7-8-13a8 8 0 0 1 8-8z" />
    <path class="warm" d="M134 41a7 7 0 0 1 7 7c0 5-7 12-7 12s-7-7-7-12a7 7 0 0 1 7-7z" />
    <circle class="paper" cx="110" cy="35" r="3" />
    <circle class="paper" cx="134" cy="48" r="2.5" />
  </Drawn>
);

/** Rooms that follow measurements. */
const live = (
  <Drawn>
    <rect class="paper" x="14" y="10" width="132" height="48" rx="4" />
    <path class="tint-b" d="M17 13h38v42H17z" />
    <path class="tint-c" d="M59 13h42v42H59z" />
    <path class="tint-a" d="M105 13h38v42h-38z" />
    <path class="wall" d="M14 10h132v48H14zM57 10v30M57 50v8M103 10v30M103 50v8" />
    <circle class="accent" cx="32" cy="30" r="4" />
    <circle class="accent" cx="70" cy="26" r="4" />
    <circle class="accent" cx="86" cy="40" r="4" />
    <circle class="accent" cx="90" cy="24" r="4" />
    <path class="pulse" d="M14 78h28l6-12 9 22 8-16 5 6h26l6-14 8 20 7-6h29" />
  </Drawn>
);

/** A map that is there already. */
const example = (
  <Drawn>
    <rect class="paper" x="20" y="10" width="120" height="76" rx="6" />
    <path class="tint-b" d="M23 16q0-3 3-3h34v26H23zM100 13h34q3 0 3 3v23h-37z" />
    <path class="tint-c" d="M64 13h32v15a20 20 0 0 0-32 8z" />
    <path class="tint-a" d="M23 57h38a20 20 0 0 0 12 10v16H26q-3 0-3-3zM99 57h38v23q0 3-3 3H87V67a20 20 0 0 0 12-10z" />
    <circle class="tint-c" cx="80" cy="48" r="9" />
    <path class="wall" d="M20 16q0-6 6-6h108q6 0 6 6v64q0 6-6 6H26q-6 0-6-6z" />
    <rect class="accent" x="36" y="20" width="12" height="12" rx="3" />
    <rect class="warm" x="112" y="20" width="12" height="12" rx="3" />
    <rect class="accent" x="112" y="64" width="12" height="12" rx="3" />
    <rect class="warm" x="36" y="64" width="12" height="12" rx="3" />
  </Drawn>
);

export const startPictures = { plan, places, live, example } as const;
