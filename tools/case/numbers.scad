// Every number of the cases, in mm, with its source. Change it here, or on the command line: openscad -D dome_hole=24.5 ...
// "Measure yours": makers differ or publish no drawing. Measure the part before you print its plate.

// --- The printer -------------------------------------------------------------------------------------------------------------------
bed = 220;             // side of an ordinary printer's bed, and its minimum height
bed_edge = 4;          // left free all round: clips and the skirt
biggest = bed - 2 * bed_edge;
wall = 3;              // side walls: seven lines of a 0.4 mm nozzle, stiff enough to carry a screw without a rib
floor_thick = 3;
lid_thick = 4;         // carries the blows on the buttons; arcade nuts grip 2 to 8 mm
fit = 0.3;             // gap each side between two parts that go into one another; more for a printer that runs fat
corner = 8;            // radius of the outer corners
$fn = 40;

// --- Screws ------------------------------------------------------------------------------------------------------------------------
m3_hole = 3.4;         // ISO 273, medium fit
m3_head = 6.4;         // countersunk head: 5.5 to 6.3 by make
m3_insert = 4.0;       // for a heat-set insert M3 that is 4.2 to 4.4 wide outside (accu.co.uk: 4.4, pilot 4.0 +0.1): measure yours. The hole is 0.2 to 0.4
                       // narrower than the insert: one of 4.6, as many are, wants 4.3, or it splits the boss
m3_insert_deep = 7;    // insert 5 to 5.7 long, and room for what melts
m25_insert = 3.4;      // for a heat-set insert M2.5 that is 3.6 to 3.8 wide outside: measure yours
boss = 9;              // 2.5 mm of plastic round an M3 insert
dowel = 5;             // printed pins that bring two boxes into line before the screws draw them together
foot = 12;             // stick-on rubber feet: measure yours
foot_sunk = 1;

// --- Buttons, key, lamps -----------------------------------------------------------------------------------------------------------
dome = 60;             // the visible flange of a 60 mm dome button
dome_hole = 28.5;      // its thread: 24 to 28 by make, measure yours. 28.5 takes all of them, the 60 mm flange covers it
dome_body = 36;        // the part below: nut, and microswitch with its tags
dome_depth = 62;       // from the plate's top down to the tags' ends: 50 to 62 by make, measure yours
arcade = 30.2;         // 30 mm arcade button: the centre bar's on a clock, or a station's. Hole 30, snapped in or with a nut
arcade_flange = 34;    // 33 to 34 by make
arcade_body = 28;
arcade_depth = 38;     // from the plate's top down to the tags, turned aside: 32 to 38 by make, measure yours
small_hole = 16.2;     // momentary push-button with a 16 mm thread: measure yours (12 mm: 12.2)
small_nut = 20;
small_depth = 32;
key_hole = 19.2;       // key switch, two positions, 19 mm thread: measure yours (12 mm: 12.2)
key_nut = 25;
key_depth = 38;
lamp_hole = 8.2;       // clip or bezel of a 5 mm LED: measure yours
lamp_flange = 11;
plug_hole = [14, 9];   // lets a USB-C plug (12.4 x 6.5 by USB-IF) or a USB-A plug's overmould laid flat pass
strip_board = [59, 95, 11];   // 22 strips of 37 holes, 2.54 apart: 56, and the ends of the header's box; with foam tape below and transistors, the tallest
strip_plug = [28, 18]; // across its middle the ribbon's plug in its box header: how wide, and how high from the tape's underside: measure yours
tact = 12;             // tactile switch 12 x 12 x 7.3 under either end of the bar (Omron B3F-4000 and those like it)
tact_tall = 7.3;

// --- The 7-inch panel --------------------------------------------------------------------------------------------------------------
// "hdmi": 1024x600 on HDMI, as sold under many names; drawn from one (UCTronics UC-595: 165 x 100 outside, 155 x 86 lit, holes 3 wide in ears) and
// from the board of another with its ears (164.9 x 124.3). "touch-1": Raspberry Pi Touch Display, 194 x 110, 155 x 86 seen. Not
// Touch Display 2: its picture is upright (720 x 1280), and does not fit these cases. Measure yours: glass breaks.
panel = "hdmi";
assert(panel == "hdmi" || panel == "touch-1", "panel is \"hdmi\" or \"touch-1\": of another, give its measures to one of these");
panel_glass = panel == "touch-1" ? [194, 110] : [165, 100];
panel_ears = panel == "hdmi" ? [165, 124.4] : panel_glass;   // the widest that stands out behind the glass
panel_lit = [155, 86];
panel_shift = [0, 0];  // offset of the lit part from the glass's middle: measure yours
panel_rim = 7;         // thickness where the clamps press, with 1 mm of foam tape: measure yours
panel_depth = 20;      // with the driver board, its plugs turned sideways: measure yours
window_more = 1;       // the window is larger than the lit part by this, each side

// --- Two LED displays (SparkFun Serial 7-Segment Display, its wiki: board 1.6 x 0.9 in, digits' block 1.58 x 0.5 in, 0.276 in tall) ----
led_board = [40.7, 22.9];
led_block = [40.2, 12.8];
led_thick = 12;        // board, digits and the plug behind
led_lean = 52;         // degrees from the table: faces a seated player, and prints without supports

// --- The Pi ------------------------------------------------------------------------------------------------------------------------
pi = "4";              // "3", "4", "5" or "zero" (Zero 2 W): chooses holes and sockets
