// The table clock: a panel lying flat between the players, in a middle box; a button before each player, in its own end box.
// It stands beside the board, its ends towards the players: each has their own button and their own half of the panel before them.
//
//        y ^   [ end box: a player's button ]
//          |   [ middle: panel     | bar    ]   -x: power button and lead, director's key and buttons; +x: the Pi's sockets
//          |   [ end box: a player's button ]
//
// Three boxes, because the clock is 290 mm long and a bed 220; both ends are the same print. variant "full" has the centre bar, the key and
// three buttons; "two-button" has not, and is narrower. bar "button" is a 30 mm arcade button, as in the parts list; "bar" is a printed bar
// on two tactile switches, wired side by side. part: see the end, and prints.toml.
include <numbers.scad>
include <pi.scad>
include <parts.scad>

variant = "full";
part = "assembly";
bar = "button";

has_bar = variant == "full";
director = variant == "full";

// --- Sizes that follow -----------------------------------------------------------------------------------------------------------------
tall = floor_thick + dome_depth + 1;                     // to the tubs' rim; a lid stands on it
seat = fit + 1.6;                                        // the corners around the glass
inside = max(panel_ears[1] + 2 * boss, panel_glass[1] + 2 * (seat + boss) + 1);   // the lid's bosses stand before the panel, not beside it
side = 2;
bar_zone = arcade_flange + 1;
width = 2 * (wall + seat) + side + panel_glass[0] + (has_bar ? bar_zone : side);
middle = [width, inside + 2 * wall];
end = [width, dome + 12];
row_z = 28;                                              // how high the wall's buttons sit: above the lead, below the panel's board
lead_y = -28;
panel_x = -width / 2 + wall + side + seat + panel_glass[0] / 2;
bar_x = width / 2 - wall - bar_zone / 2;
bar_slot = [13, 92];
bar_flange = [19, 98];
bar_foot = bar_flange[1] / 2 + boss / 2 + 0.5;
bar_drop = 2 + 0.2 + tact_tall - 1;                      // flange, play, switch, less the pocket that it stands in
pi_at = [width / 2 - wall - 0.5 - pi_board[0], inside / 2 - boss - 3 - pi_board[1], floor_thick];

assert(width <= biggest, str("The clock would be ", width, " mm wide, your printer makes ", biggest, ": take a smaller panel, or the two-button variant, which has no bar"));
assert(middle[1] <= biggest, "The middle box is longer than the printer's bed");
assert(floor_thick + 2 + plug_hole[1] < row_z - small_nut / 2, "The power lead's hole meets a button's nut");
assert(bar == "button" || bar == "bar", "bar is \"button\" or \"bar\"");

// Cut-outs in plates and walls: [name, x, y, hole, size of the cover outside].
lid_holes = concat(
    [for (at = lid_screws(middle)) ["screw", at[0], at[1], m3_hole, m3_head]],
    [["window", panel_x + panel_shift[0], panel_shift[1], panel_open, panel_open]],
    has_bar ? [bar == "bar" ? ["bar", bar_x, 0, bar_slot, bar_slot] : ["bar", bar_x, 0, arcade, arcade_flange]] : []);
end_holes = concat([for (at = lid_screws(end)) ["screw", at[0], at[1], m3_hole, m3_head]], [["dome", 0, 0, dome_hole, dome]]);
wall_holes = concat(
    [["lead", lead_y, floor_thick + 2 + plug_hole[1] / 2, plug_hole, plug_hole], ["power", -40, row_z, small_hole, small_nut]],
    director ? [for (i = [0 : 2]) [["up", "down", "ok"][i], -18 + i * 22, row_z, small_hole, small_nut]] : [],
    director ? [["key", 50, row_z, key_hole, key_nut]] : []);

// --- The middle ------------------------------------------------------------------------------------------------------------------------
module middle_tub() {
    difference() {
        union() {
            tub(middle, tall, footed = false) translate([pi_at[0], pi_at[1]]) pi_vents();
            translate(pi_at) pi_posts();
            translate([-width / 2 + wall + 14, lead_y, floor_thick]) cable_tie_bridge();
        }
        translate(pi_at) pi_socket_holes();
        for (y = [-1, 1]) translate([0, y * middle[1] / 2, 0]) through_along_x() joint_holes();
        translate([width / 2, 0, 0]) through_along_y() translate([0, tall - 18]) vents(13, 10);
        translate([-width / 2, 0, 0]) through_along_y() {
            translate([0, tall - 18]) vents(13, 10);
            translate([lead_y, floor_thick + 2]) cable_hole();
            for (hole = wall_holes) if (hole[0] != "lead") translate([hole[1], hole[2]]) gabled(hole[3]);
        }
    }
}

module middle_lid() {
    difference() {
        union() {
            plate(middle, lid_screws(middle)) { translate([panel_x, 0]) panel_window(); if (has_bar) translate([bar_x, 0]) bar_opening(); }
            translate([panel_x, 0]) panel_seat();
            if (has_bar && bar == "bar") for (y = [-bar_foot, bar_foot]) translate([bar_x, y, -bar_drop]) cylinder(d = boss, h = bar_drop + 1);
        }
        if (has_bar && bar == "bar") for (y = [-bar_foot, bar_foot]) translate([bar_x, y, -bar_drop - 1]) cylinder(d = m3_insert, h = m3_insert_deep + 1);
        translate([panel_x, 0]) panel_bevel();
    }
}

// --- The bar: a 30 mm button, or a cap in a slot, on two tactile switches on a rail below ---------------------------------------------------
module bar_opening() { if (bar == "bar") square(bar_slot, center = true); else circle(d = arcade); }

module bar_cap() {
    linear_extrude(2) square(bar_flange, center = true);
    linear_extrude(2 + lid_thick + 4) offset(2) square([bar_slot[0] - 2 * fit - 4, bar_slot[1] - 2 * fit - 4], center = true);
}

module bar_rail() {
    difference() {
        linear_extrude(4) difference() {
            hull() { for (y = [-bar_foot, bar_foot]) translate([0, y]) circle(d = boss); square([20, 2 * bar_foot - 24], center = true); }
            for (y = [-bar_foot, bar_foot]) translate([0, y]) circle(d = m3_hole);
            for (x = [-6, 6], y = [-34, 34]) translate([x, y]) square([4, 8], center = true);   // the switches' legs
        }
        for (y = [-34, 34]) translate([-tact / 2 - fit, y - tact / 2 - fit, 3]) cube([tact + 2 * fit, tact + 2 * fit, 2]);
    }
}

// --- An end: its +y wall meets the middle box ------------------------------------------------------------------------------------------------
module end_tub() {
    difference() {
        union() {
            tub(end, tall);
            // Trays for ballast either side of the button: steel or coins in a bag, 300 g each; they keep the clock in place when it is hit.
            for (x = [-1, 1]) translate([x * 42 - 1, -end[1] / 2 + wall - 1, floor_thick - 1]) cube([2, end[1] - 2 * wall + 2, 11]);
        }
        translate([0, end[1] / 2, 0]) through_along_x() joint_holes();
    }
}

module end_lid() { plate(end, lid_screws(end)) circle(d = dome_hole); lips(end); }

// --- All together ------------------------------------------------------------------------------------------------------------------------------
between = middle[1] / 2 + end[1] / 2;

module ghosts(i) {
    if (i == 0) translate(pi_at) pi_ghost();
    if (i == 1) { translate([panel_x, 0, tall]) panel_ghost(); translate([pi_at[0] - strip_board[0] - 1, -29, floor_thick + 0.01]) strip_board_ghost(); }
    if (i == 2 && has_bar && bar == "bar") translate([bar_x, 0, tall]) { translate([0, 0, -2.01]) bar_cap(); translate([0, 0, -bar_drop - 4.01]) bar_rail(); }
    if (i == 2 && has_bar && bar == "button") translate([bar_x, 0, tall + 0.01]) arcade_ghost(lid_thick);
    if (i == 3) for (hole = wall_holes) if (hole[0] != "lead") translate([-width / 2 + wall + 0.01, hole[1], hole[2]])
        wall_ghost(hole[4], hole[0] == "key" ? key_depth : small_depth);
    if (i == 4) for (turn = [0, 180]) rotate(turn) translate([0, between, tall + 0.01]) dome_ghost(lid_thick);
}

module shell(i) {
    if (i == 0) middle_tub();
    if (i == 1) translate([0, 0, tall]) middle_lid();
    if (i > 1) rotate(180 * (i % 2)) translate([0, -between, 0]) if (i < 4) end_tub(); else translate([0, 0, tall]) end_lid();
}

// render() because the quick preview leaves walls out that are hollow on both sides.
module assembly() {
    color("#3a4049") render() { middle_tub(); for (turn = [0, 180]) rotate(turn) translate([0, -between, 0]) end_tub(); }
    color("#565d6a") render() { translate([0, 0, tall]) middle_lid(); for (turn = [0, 180]) rotate(turn) translate([0, -between, tall]) end_lid(); }
    color("#101418") translate([panel_x, 0, tall - 1]) linear_extrude(1) panel_window();
    for (half = [["#ff6f4c", 1], ["#1d232b", -1]]) color(half[0]) translate([panel_x, half[1] * panel_lit[1] / 4, tall])
        linear_extrude(0.2) square([panel_lit[0] - 4, panel_lit[1] / 2 - 8], center = true);
    color("#e9e4d8") ghosts(2);
    color("#c8a040") ghosts(3);
    color("#d8432f") ghosts(4);
}

// The intersection of all pairs: empty if everything fits. OpenSCAD reports an error for an empty print, which the test expects.
module clash() {
    for (i = [0 : 5]) intersection() { shell(i); for (j = [0 : 4]) ghosts(j); }
    for (i = [0 : 3], j = [1 : 4]) if (i < j) intersection() { ghosts(i); ghosts(j); }
    intersection() { middle_tub(); translate([0, 0, tall + 0.01]) middle_lid(); }
    intersection() { end_tub(); translate([0, 0, tall + 0.01]) end_lid(); }
}

// For the tests: [plate or wall, its size, its holes].
echo(plates = [["middle-lid", middle, lid_holes], ["end-lid", end, end_holes], ["side-wall", [middle[1], tall], shifted(wall_holes, -tall / 2)]]);

if (part == "middle-tub") middle_tub();
else if (part == "middle-lid") rotate([180, 0, 0]) middle_lid();
else if (part == "end-tub") end_tub();
else if (part == "end-lid") rotate([180, 0, 0]) end_lid();
else if (part == "bar-cap") bar_cap();
else if (part == "bar-rail") bar_rail();
else if (part == "clamp") clamp();
else if (part == "dowel") dowel_pin();
else if (part == "clash") clash();
else if (part == "assembly") assembly();
else assert(false, str("No part of the clock is called ", part));
